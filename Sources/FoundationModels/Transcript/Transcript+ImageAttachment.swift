public import Foundation

extension Transcript {
    /// An image by its address or by its bytes.
    ///
    /// On Linux an image is never decoded by this module: a model gets the address or the encoded bytes.
    public struct ImageAttachment: Sendable, Equatable {
        private enum Source: Sendable, Equatable {
            case url(URL)
            case bytes(Data, mimeType: String?)
        }

        private let source: Source

        /// How the pixels are to be turned for showing.
        public let orientation: CGImagePropertyOrientation

        public init(imageURL: URL, orientation: CGImagePropertyOrientation? = nil) {
            source = .url(imageURL)
            self.orientation = orientation ?? .up
        }

        /// An encoded image (PNG, JPEG, GIF, WebP, ...). A type that is not given is read from the first bytes.
        public init(data: Data, mimeType: String?, orientation: CGImagePropertyOrientation? = nil) {
            source = .bytes(data, mimeType: mimeType ?? ImageAttachment.mimeType(ofImage: data))
            self.orientation = orientation ?? .up
        }

        /// The address, for an image that was given by address.
        public var url: URL? {
            if case .url(let url) = source { url } else { nil }
        }

        /// The encoded bytes of an image that was given by its bytes.
        package var bytes: Data? {
            if case .bytes(let data, _) = source { data } else { nil }
        }

        /// The encoded bytes; reads the file, or fetches, when the image was given by address.
        public var data: Data {
            get throws {
                switch source {
                case .url(let url): try Data(contentsOf: url)
                case .bytes(let data, _): data
                }
            }
        }

        /// The type of the encoded image: as given, by its first bytes, or by the extension of its address.
        public var mimeType: String? {
            switch source {
            case .url(let url): UTType(filenameExtension: url.pathExtension)?.preferredMIMEType
            case .bytes(_, let mimeType): mimeType
            }
        }

        /// Recognises the image formats that models take by the bytes with which their files begin.
        package static func mimeType(ofImage data: Data) -> String? {
            let head = Array(data.prefix(12))
            if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
            if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
            if head.starts(with: Array("GIF8".utf8)) { return "image/gif" }
            if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
                return "image/webp"
            }
            // ISO base media: size, "ftyp", brand.
            if head.dropFirst(4).starts(with: Array("ftyp".utf8)) {
                let brand = Array(head.dropFirst(8))
                if brand == Array("avif".utf8) { return "image/avif" }
                if ["heic", "heix", "mif1", "msf1"].contains(where: { Array($0.utf8) == brand }) {
                    return "image/heic"
                }
            }
            return nil
        }
    }
}
