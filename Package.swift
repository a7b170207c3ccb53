// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

// One line a room, floor by floor; imports go down only (Tests/HouseTests checks it).
// ARCHITECTURE.md says what each room is for and what it knows nothing of.

// Not for whoever depends on this package: a variable of our own.
let isStrict = Context.environment["HEARTH_STRICT"] != nil
let plain: [SwiftSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []

let common: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
] + plain

// Loops over pointers and nothing else: optimised in debug builds too. `-Ounchecked` removes the checks,
// so the only caller is the checked layer in HearthKernels. Strict memory safety warns of the option itself and of every pointer;
// elsewhere warnings are errors, here they are silent.
let loops = ["-Ounchecked"] + (isStrict ? ["-Wwarning", "StrictMemorySafety"] : ["-suppress-warnings"])
// Where the one instruction is declared that no importable function stands for: prefetching.
let builtins = ["-enable-experimental-feature", "BuiltinModule"]
// Products of quantised weights; chosen at run time within the portable set, with the same bits.
let ssse3 = loops + ["-Xcc", "-mssse3"]
let avx2 = loops + ["-Xcc", "-mavx2", "-Xcc", "-mfma", "-Xcc", "-mf16c"]

// Products of many tokens, attention and passes for samplers; chosen at run time within the AVX2 set, with the same bits.
let avx512 = avx2 + ["avx512f", "avx512bw", "avx512vl", "avx512vnni"].flatMap { ["-Xcc", "-m" + $0] }

func room(_ name: String, on below: [Target.Dependency] = [], path: String? = nil, flags: [String] = []) -> Target {
    .target(
        name: name, dependencies: below, path: path ?? "Sources/\(name)",
        swiftSettings: common + (flags.isEmpty ? [] : [.unsafeFlags(flags)]))
}

func door(_ name: String, on below: [Target.Dependency], path: String? = nil) -> Target {
    .executableTarget(name: name, dependencies: below, path: path ?? "Sources/\(name)", swiftSettings: common)
}

func tests(
    _ name: String, on below: [Target.Dependency], leaving out: [String] = [], settings: [SwiftSetting] = common
) -> Target {
    .testTarget(
        name: name, dependencies: below + ["HearthTestSupport"], path: "Tests/\(name)", exclude: out,
        swiftSettings: settings)
}

// The toolchain that evaluates this manifest ships SwiftSyntax; the macro plug-in is built on it.
#if os(macOS)
let swiftSyntax = ""  // the system brings the macros with the module
#else
let swiftSyntax = hostLibraries()
#endif
func plugin(_ name: String) -> Target {
    let libraries = [
        "SwiftCompilerPluginMessageHandling", "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder",
        "SwiftSyntaxMacros",
    ]
    return .macro(
        name: name, path: "Sources/\(name)", swiftSettings: common + [.unsafeFlags(["-I", swiftSyntax])],
        linkerSettings: [.unsafeFlags(["-L", swiftSyntax, "-Xlinker", "-rpath", "-Xlinker", swiftSyntax])]
            + libraries.map { .linkedLibrary($0) })
}

let ground: [Target] = [
    .systemLibrary(name: "CIntrinsics", path: "Sources/CIntrinsics"),
    .systemLibrary(
        name: "COpenBLAS", path: "Sources/COpenBLAS", pkgConfig: "openblas", providers: [.apt(["libopenblas-dev"])]),
    room("HearthHash", flags: ["-O"]),  // digests of logits in debug builds too
    room("HearthLocks"),
    room("HearthTokens"),
    room("HearthJSON"),
    room("HearthKernelTypes", flags: builtins),
    room("HearthKernelsPortable", on: ["HearthKernelTypes", "CIntrinsics"], flags: loops),
    room("HearthKernelsSSSE3", on: ["HearthKernelTypes", "CIntrinsics"], flags: ssse3),
    room("HearthKernelsAVX2", on: ["HearthKernelTypes", "CIntrinsics"], flags: avx2),
    room("HearthKernelsAVX512", on: ["HearthKernelTypes", "CIntrinsics"], flags: avx512),
    room("HearthBLAS", on: ["COpenBLAS"]),
    room(
        "HearthKernels",
        on: [
            "HearthKernelTypes", "HearthKernelsPortable", "HearthKernelsSSSE3", "HearthKernelsAVX2", "HearthKernelsAVX512",
            "HearthBLAS", "HearthLocks", "CIntrinsics",
        ]),
]

let workshops: [Target] = [
    room("HearthWeights", on: ["HearthJSON", "HearthKernelTypes"]),
    room("HearthModels", on: ["HearthJSON"]),
    room("HearthTokenizers", on: ["HearthLocks", "HearthTokens"]),
    room("HearthTemplates", on: ["HearthJSON"]),
]

let engineAndAPI: [Target] = [
    room("HearthInference", on: ["HearthKernels", "HearthKernelTypes", "HearthLocks", "HearthTokens", "HearthWeights"]),
    plugin("FoundationModelsMacros"),
    room("FoundationModels", on: ["FoundationModelsMacros", "HearthJSON", "HearthLocks"], flags: ["-user-module-version", "2.0"]),
    room("FoundationModelsExtras", on: ["FoundationModels"]),
]

let rooms: [Target] = [
    room(
        "HearthLocal",
        on: [
            "FoundationModels", "HearthInference", "HearthJSON", "HearthKernels", "HearthKernelTypes", "HearthLocks", "HearthModels",
            "HearthTemplates", "HearthTokenizers", "HearthTokens", "HearthWeights",
        ]),
    room("HearthChat", on: ["FoundationModels"]),
    room("HearthTestKit", on: ["FoundationModels", "FoundationModelsExtras", "HearthJSON", "HearthLocks"]),
]

let doors: [Target] = [
    room(
        "HearthCommands",
        on: [
            "HearthBLAS", "HearthHash", "HearthLocal", "HearthInference", "HearthJSON", "HearthKernels", "HearthKernelTypes", "HearthLocks",
            "HearthModels", "HearthTemplates", "HearthTokenizers", "HearthTokens", "HearthWeights",
        ]),
    room(
        "HearthBenchKit",
        on: [
            "HearthCommands", "HearthInference", "HearthJSON", "HearthKernels", "HearthKernelTypes", "HearthLocks", "HearthModels",
            "HearthTokens", "HearthWeights",
        ],
        path: "Benchmarks/HearthBenchKit"),
    door("hearth", on: ["HearthCommands"]),
    door("hearth-bench", on: ["HearthBenchKit"], path: "Benchmarks/HearthBench"),
]

let testing: [Target] = [
    room("HearthTestSupport", on: ["HearthJSON"], path: "Tests/HearthTestSupport"),
    // What checks in other languages look at.
    door("Specimens", on: ["FoundationModels", "HearthJSON", "HearthTemplates"], path: "Tests/Specimens"),
    tests("HearthHashTests", on: ["HearthHash"]),
    tests("HearthLocksTests", on: ["HearthLocks"]),
    tests("HearthTokensTests", on: ["HearthTokens"]),
    tests("HearthJSONTests", on: ["HearthJSON"]),
    tests("HearthKernelsTests", on: ["HearthKernels", "HearthKernelTypes", "HearthKernelsPortable", "HearthBLAS", "HearthLocks"]),
    tests("HearthWeightsTests", on: ["HearthWeights", "HearthKernelTypes"]),
    tests("HearthModelsTests", on: ["HearthModels", "HearthJSON", "HearthHash", "HearthLocks"]),
    tests("HearthTokenizersTests", on: ["HearthTokenizers", "HearthTokens", "HearthWeights", "HearthJSON"]),
    tests("HearthTemplatesTests", on: ["HearthTemplates", "HearthJSON"]),
    tests(
        "HearthInferenceTests",
        on: ["HearthInference", "HearthKernels", "HearthKernelTypes", "HearthLocks", "HearthTokens", "HearthWeights", "HearthJSON"]),
    tests("FoundationModelsMacrosTests", on: ["FoundationModels", "HearthJSON"]),
    tests("FoundationModelsTests", on: ["FoundationModels", "FoundationModelsExtras", "HearthJSON", "HearthLocks"],
        leaving: ["surface.txt"]),
    tests("HearthLocalTests", on: ["HearthLocal", "FoundationModels", "FoundationModelsExtras", "HearthJSON",
        "HearthInference", "HearthKernels", "HearthKernelTypes", "HearthLocks", "HearthTokens", "HearthTokenizers", "HearthTemplates"]),
    tests("HearthTestKitTests", on: ["HearthTestKit", "FoundationModels", "FoundationModelsExtras", "HearthJSON"]),
    tests("HearthChatTests", on: ["HearthChat", "HearthTestKit", "FoundationModels", "HearthLocks"]),
    // As the compiler takes a client's code that asks for nothing.
    tests("ProgramsTests", on: ["HearthChat", "HearthTestKit", "HearthLocal", "FoundationModels"], settings: plain),
    tests("SnippetsTests", on: ["HearthTestKit", "FoundationModels", "FoundationModelsExtras"], settings: plain),
    tests(
        "HearthCommandsTests",
        on: ["HearthCommands", "HearthInference", "HearthJSON", "HearthKernels", "HearthKernelTypes", "HearthModels"]),
    tests(
        "HearthBenchKitTests",
        on: ["HearthBenchKit", "HearthCommands", "HearthInference", "HearthJSON", "HearthKernelTypes", "HearthWeights"]),
    tests("HouseTests", on: ["HearthJSON"]),
    door("many-runs", on: ["HearthCommands"], path: "Tests/ManyRuns"),  // for Tests/checks/check_damaged.py
]

#if os(macOS)
// The module is the system's: ours and its plug-in are left out, and whoever depends on ours depends on the re-export.
// Only the product of that name is meant to work so; the other rooms are Linux's until somebody has tried them here.
let everyTarget = [room("SystemFoundationModels")]
    + (ground + workshops + engineAndAPI + rooms + doors + testing)
    .filter { !["FoundationModels", "FoundationModelsMacros"].contains($0.name) }
for target in everyTarget {
    target.dependencies = target.dependencies.map { dependency in
        if case .byNameItem(name: "FoundationModels", let condition) = dependency {
            return .byNameItem(name: "SystemFoundationModels", condition: condition)
        }
        return dependency
    }
}
let moduleTarget = "SystemFoundationModels"
#else
let everyTarget = ground + workshops + engineAndAPI + rooms + doors + testing
let moduleTarget = "FoundationModels"
#endif

let package = Package(
    name: "hearth",
    platforms: [.macOS("27.0"), .iOS("27.0"), .visionOS("27.0")],
    products: [
        .library(name: "FoundationModels", targets: [moduleTarget]),
        .library(name: "HearthLocal", targets: ["HearthLocal"]),
        .library(name: "HearthChat", targets: ["HearthChat"]),
        .library(name: "HearthTestKit", targets: ["HearthTestKit"]),
        .library(name: "HearthInference", targets: ["HearthInference"]),
        .executable(name: "hearth", targets: ["hearth"]),
        .executable(name: "hearth-bench", targets: ["hearth-bench"]),
    ],
    targets: everyTarget,
    swiftLanguageModes: [.v6]
)

/// The folder `lib/swift/host` of the toolchain: found from the library of the manifest that is loaded here, else from `swiftc`.
func hostLibraries() -> String {
    var starts: [URL] = []
    if let maps = FileHandle(forReadingAtPath: "/proc/self/maps") {
        starts += String(decoding: maps.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n")
            .filter { $0.hasSuffix("/libPackageDescription.so") }
            .compactMap { line in line.firstIndex(of: "/").map { URL(filePath: String(line[$0...])) } }
    }
    starts += (Context.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(filePath: "\($0)/swiftc") }
        .filter { FileManager.default.fileExists(atPath: $0.path) }
        .map { $0.resolvingSymlinksInPath() }
    for start in starts {
        var folder = start.deletingLastPathComponent()
        while folder.path != "/" {
            for inside in ["lib/swift/host", "usr/lib/swift/host"] {
                let host = folder.appending(path: inside)
                if FileManager.default.fileExists(atPath: host.appending(path: "SwiftSyntax.swiftmodule").path) { return host.path }
            }
            folder.deleteLastPathComponent()
        }
    }
    fatalError(
        "No SwiftSyntax under lib/swift/host of the Swift toolchain; the macro plug-in is built on it. "
            + "Install the complete toolchain from swift.org, and put its usr/bin first in PATH.")
}
