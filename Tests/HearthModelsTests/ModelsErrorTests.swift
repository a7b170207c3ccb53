import Foundation
import HearthModels
import Testing

@Suite("ModelsError")
struct ModelsErrorTests {
    static let table: [(ModelsError, ModelsError.Kind, String)] = [
        (.emptyName(known: ["a", "b"]), .notFound, "The name of the model is empty. Known: a, b."),
        (
            .unknownName("x", near: [], known: ["a", "b"]), .notFound,
            "No model is called `x`. Known: a, b. A path has a `/` or ends in `.gguf`."
        ),
        (
            .unknownName("x", near: ["a", "b"], known: ["a", "b"]), .notFound,
            "No model is called `x`. Did you mean `a` or `b`? A path has a `/` or ends in `.gguf`."
        ),
        (
            .noFile(path: "./m"), .notFound,
            "There is no file `./m`. Check the path, or give a name that `hearth list` shows."
        ),
        (
            .notFetched(name: "a", size: 98_362_432, folder: "/s"), .notFound,
            "The model `a` is not in /s. Fetch it with `hearth pull a` (99 MB)."
        ),
        (
            .wrongSize(name: "a", path: "/s/a.gguf", actual: 1, expected: 2), .unusable,
            "/s/a.gguf has 1 bytes; `a` has 2. It was cut short or changed: fetch it again with `hearth pull a`."
        ),
        (
            .notAModel(name: "v"), .refused,
            "`v` is reference data for tests and cannot be run. Choose a model that `hearth list` shows."
        ),
        (
            .noTransport(source: "hf:o/r/f.gguf"), .refused,
            "`hf:o/r/f.gguf` names a file on a model hub, and this version cannot fetch from there; it comes with the network transport. Download the file and give its path."
        ),
        (
            .noPython(path: "/bin"), .fetch,
            "Fetching needs python3, and there is none on PATH (/bin). Install it; on Debian: apt-get install python3 python3-pip."
        ),
        (
            .noPip(python: "/bin/python3", lastWords: "No module named pip"), .fetch,
            "/bin/python3 has no pip: No module named pip. Install it; on Debian: apt-get install python3-pip."
        ),
        (
            .cannotRun(program: "/bin/python3", reason: "no"), .fetch,
            "/bin/python3 cannot be run: no. Check that it is a program for this machine."
        ),
        (
            .download(package: "p==1", status: 1, lastWords: "ERROR"), .fetch,
            "pip could not download p==1 (status 1): ERROR. Check the network and run the command again; it goes on where it stopped."
        ),
        (
            .download(package: "p==1", status: 1, lastWords: ""), .fetch,
            "pip could not download p==1 (status 1): it said nothing. Check the network and run the command again; it goes on where it stopped."
        ),
        (
            .unpack(package: "p==1", reason: "no entry"), .fetch,
            "The package p==1 is not as expected: no entry. Run the command again; if it stays, the package has changed."
        ),
        (
            .wrongLength(name: "a", actual: 1, expected: 2), .fetch,
            "The pieces of `a` make 1 bytes; 2 are needed. They were removed: run the command again."
        ),
        (
            .wrongDigest(name: "a", file: "a.gguf", actual: "01", expected: "02"), .fetch,
            "a.gguf of `a` has the SHA-256 01; 02 is needed. It was removed: run the command again."
        ),
        (
            .noSpace(name: "a", needed: 3_000_001, free: 1_000_000, folder: "/s"), .disk,
            "1 MB are free at /s; fetching `a` needs 4 MB. Free some, or set HEARTH_MODELS to a folder on another disk."
        ),
        (
            .diskFull(path: "/s/a.part/data"), .disk,
            "There was no room left while writing /s/a.part/data. Free some, or set HEARTH_MODELS to a folder on another disk, and run the command again; it goes on where it stopped."
        ),
        (
            .store(path: "/s", doing: "make", reason: "Permission denied"), .disk,
            "Hearth could not make /s: Permission denied. Check the permissions, or set HEARTH_MODELS to another folder."
        ),
    ]

    @Test("Each message says what happened, where and what to do", arguments: table.indices)
    func message(row: Int) {
        let (error, kind, text) = Self.table[row]
        #expect(error.description == text)
        #expect(error.errorDescription == text)
        #expect(error.kind == kind)
    }
}
