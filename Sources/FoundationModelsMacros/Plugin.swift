import SwiftSyntaxMacros
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling

/// The compiler's macro plug-in of the module `FoundationModels`: a child process that the compiler starts and asks,
/// one message at a time on standard input, to expand a macro.
///
/// The toolchain ships SwiftSyntax without the module `SwiftCompilerPlugin`; these are the few lines of it that are needed.
@main
struct Plugin: PluginProvider {
    static var macros: [String: any Macro.Type] {
        [
            "GenerableMacro": GenerableMacro.self,
            "GuideMacro": GuideMacro.self,
            "SessionPropertyEntryMacro": SessionPropertyEntryMacro.self,
            "SessionPropertyEntryDefaultValueMacro": SessionPropertyEntryDefaultValueMacro.self,
        ]
    }

    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        guard moduleName == "FoundationModelsMacros", let macro = Self.macros[typeName] else {
            throw UnknownMacro(module: moduleName, type: typeName)
        }
        return macro
    }

    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
    }
}

struct UnknownMacro: Error, CustomStringConvertible {
    let module: String
    let type: String
    var description: String {
        "The macro \(module).\(type) is not in this plug-in, which has \(Plugin.macros.keys.sorted().joined(separator: ", ")). "
            + "Build the package again: compiler and plug-in are from different versions."
    }
}
