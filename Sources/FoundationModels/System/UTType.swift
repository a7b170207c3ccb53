/// A uniform type identifier, as far as data attachments need one. Apple's platforms have it in
/// `UniformTypeIdentifiers`.
public struct UTType: Hashable, Sendable, Codable {
    public let identifier: String

    /// A type declared elsewhere, such as "com.example.waveform".
    public init(exportedAs identifier: String) {
        self.identifier = identifier
    }

    public init?(mimeType: String) {
        let wanted = mimeType.lowercased()
        guard let known = KnownType.all.first(where: { $0.mimeTypes.contains(wanted) }) else { return nil }
        identifier = known.identifier
    }

    public init?(filenameExtension: String) {
        let wanted = filenameExtension.lowercased()
        guard let known = KnownType.all.first(where: { $0.extensions.contains(wanted) }) else { return nil }
        identifier = known.identifier
    }

    /// Whether this type is `type` or a kind of it. A type of your own conforms to itself and to `data` only.
    public func conforms(to type: UTType) -> Bool {
        if self == type || type == .data { return true }
        guard let known = KnownType.all.first(where: { $0.identifier == identifier }) else { return false }
        return known.parents.contains { UTType(exportedAs: $0).conforms(to: type) }
    }

    package var preferredMIMEType: String? {
        KnownType.all.first { $0.identifier == identifier }?.mimeTypes.first
    }

    public static var data: UTType { UTType(exportedAs: "public.data") }
    public static var image: UTType { UTType(exportedAs: "public.image") }
    public static var png: UTType { UTType(exportedAs: "public.png") }
    public static var jpeg: UTType { UTType(exportedAs: "public.jpeg") }
    public static var webP: UTType { UTType(exportedAs: "org.webmproject.webp") }
    public static var audio: UTType { UTType(exportedAs: "public.audio") }
    public static var text: UTType { UTType(exportedAs: "public.text") }
    public static var plainText: UTType { UTType(exportedAs: "public.plain-text") }
    public static var json: UTType { UTType(exportedAs: "public.json") }
    public static var pdf: UTType { UTType(exportedAs: "com.adobe.pdf") }
}

/// What is known of the types that models take: identifiers and conformances as macOS declares them.
private struct KnownType: Sendable {
    let identifier: String
    let parents: [String]
    var mimeTypes: [String] = []
    var extensions: [String] = []

    static let all: [KnownType] = [
        KnownType(identifier: "public.data", parents: [], mimeTypes: ["application/octet-stream"]),
        KnownType(identifier: "public.image", parents: ["public.data"]),
        KnownType(identifier: "public.png", parents: ["public.image"], mimeTypes: ["image/png"], extensions: ["png"]),
        KnownType(
            identifier: "public.jpeg", parents: ["public.image"], mimeTypes: ["image/jpeg", "image/jpg"],
            extensions: ["jpg", "jpeg", "jpe"]),
        KnownType(
            identifier: "com.compuserve.gif", parents: ["public.image"], mimeTypes: ["image/gif"],
            extensions: ["gif"]),
        KnownType(
            identifier: "org.webmproject.webp", parents: ["public.image"], mimeTypes: ["image/webp"],
            extensions: ["webp"]),
        KnownType(
            identifier: "public.heic", parents: ["public.image"], mimeTypes: ["image/heic"], extensions: ["heic"]),
        KnownType(identifier: "public.audio", parents: ["public.data"]),
        KnownType(
            identifier: "public.mp3", parents: ["public.audio"], mimeTypes: ["audio/mpeg"], extensions: ["mp3"]),
        KnownType(
            identifier: "com.microsoft.waveform-audio", parents: ["public.audio"],
            mimeTypes: ["audio/wav", "audio/vnd.wave"], extensions: ["wav"]),
        KnownType(
            identifier: "public.mpeg-4-audio", parents: ["public.audio"], mimeTypes: ["audio/mp4"],
            extensions: ["m4a"]),
        KnownType(identifier: "public.text", parents: ["public.data"]),
        KnownType(
            identifier: "public.plain-text", parents: ["public.text"], mimeTypes: ["text/plain"], extensions: ["txt"]),
        KnownType(
            identifier: "public.json", parents: ["public.text"], mimeTypes: ["application/json"],
            extensions: ["json"]),
        KnownType(
            identifier: "com.adobe.pdf", parents: ["public.data"], mimeTypes: ["application/pdf"],
            extensions: ["pdf"]),
    ]
}
