import Glibc
import HearthCommands

/// Runs one command line after another in one process, for checks that have thousands of them.
///
/// Each line of standard input is a command line, its words separated by tabs. When it has ended, its status goes to standard
/// output on a line of its own. The runs themselves find nothing on standard input, and what they write to standard output
/// is dropped; standard error is left alone.
@main
struct ManyRuns {
    static func main() async {
        let (commands, reports) = (dup(STDIN_FILENO), dup(STDOUT_FILENO))
        let nowhere = unsafe open("/dev/null", O_RDWR)
        guard commands >= 0, reports >= 0, nowhere >= 0, dup2(nowhere, STDIN_FILENO) >= 0,
            dup2(nowhere, STDOUT_FILENO) >= 0
        else { exit(ExitCode.internalError.rawValue) }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(commands, &byte, 1) == 1 {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            let words = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(Array.init)
            line.removeAll()
            let status = Array("\(await Program.run(words).rawValue)\n".utf8)
            let written = unsafe status.withUnsafeBytes { unsafe write(reports, $0.baseAddress!, $0.count) }
            guard written == status.count else { exit(ExitCode.closedPipe.rawValue) }
        }
    }
}
