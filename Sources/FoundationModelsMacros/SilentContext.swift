import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A context that drops diagnostics, for the second expansion of a macro that has two roles: the first one reports.
final class SilentContext: MacroExpansionContext {
    private let base: any MacroExpansionContext

    init(_ base: some MacroExpansionContext) { self.base = base }

    func makeUniqueName(_ name: String) -> TokenSyntax { base.makeUniqueName(name) }
    func diagnose(_ diagnostic: Diagnostic) {}
    func location<Node: SyntaxProtocol>(
        of node: Node, at position: PositionInSyntaxNode, filePathMode: SourceLocationFilePathMode
    ) -> AbstractSourceLocation? { base.location(of: node, at: position, filePathMode: filePathMode) }
    var lexicalContext: [Syntax] { base.lexicalContext }
}
