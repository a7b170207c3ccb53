import Foundation
import HearthBLAS
import HearthJSON
import HearthKernelTypes
import HearthKernels
import HearthModels

/// `hearth doctor`: what this machine has and what Hearth makes of it.
struct DoctorVerb {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws {
        let report = try Self.report()
        if arguments.flag("--json") {
            try StandardOutput.write(report.text(.compact) + "\n")
        } else {
            try StandardOutput.write(Self.page(report))
        }
    }

    /// Everything in one object, in the order in which it is printed.
    static func report() throws -> JSON {
        let features = CPUFeatures.current
        let (set, why) = try KernelChoice.current()
        let threads = ThreadCount.current
        let usesAVX512 = Compute(set: set, threads: 1).usesVNNI
        return [
            "version": .string(Program.version),
            "processor": [
                "name": .string(Machine.processorName),
                "features": .array(features.names.map { .string($0) }),
            ],
            "kernels": [
                "set": .string(set.rawValue), "why": .string(why),
                "avx512": .bool(usesAVX512),
                "avx512_why": .string(Compute.avx512Wish.reason(set: set, isUsed: usesAVX512)),
                "sets": .array(KernelSet.allCases.filter { $0.runs(on: features) }.map { .string($0.rawValue) }),
            ],
            "threads": ["count": .integer(Int64(threads.count)), "why": .string(threads.reason)],
            "memory": memoryReport(MemoryRoom(.live())),
            "blas": [
                "library": .string(BLAS.name),
                "auto": .string(BackendPaths(backend: .auto, set: set).text),
            ],
            "store": try storeReport(.standard()),
        ]
    }

    /// What a model may take.
    static func memoryReport(_ room: MemoryRoom?) -> JSON {
        guard let room else {
            return [
                "free_bytes": .null,
                "why": MemoryReadings.isWanted ? "the system does not say" : "HEARTH_MEMORY_CHECK is 0: no model is refused",
            ]
        }
        return [
            "free_bytes": .integer(Int64(room.byteCount)),
            "why": .string(room.limit == .group ? "the limit of the control group" : "what the machine has free"),
        ]
    }

    private static func storeReport(_ store: ModelStore) throws -> JSON {
        let here = store.catalogue.entries.filter { [.ready, .unchecked].contains(store.state(of: $0)) }
        return [
            "folder": .string(store.folder.path),
            "models": .array(here.map { .string($0.name) }),
            "others": .array(try store.others().map { .string($0.lastPathComponent) }),
        ]
    }

    /// `name: value` lines; nested objects are joined by dots.
    static func page(_ report: JSON) -> String {
        var lines = ""
        func add(_ prefix: String, _ value: JSON) {
            switch value {
            case .object(let object):
                for member in object { add(prefix.isEmpty ? member.key : "\(prefix) \(member.key)", member.value) }
            case .array(let items):
                lines += "\(prefix): \(items.map { $0.stringValue ?? $0.description }.joined(separator: ", "))\n"
            case .string(let text): lines += "\(prefix): \(text)\n"
            default: lines += "\(prefix): \(value.description)\n"
            }
        }
        add("", report)
        return lines
    }
}
