/// How an image's pixels are to be turned for showing; the values of EXIF. ImageIO has this type on Apple's platforms.
public enum CGImagePropertyOrientation: UInt32, Sendable {
    case up = 1
    case upMirrored
    case down
    case downMirrored
    case leftMirrored
    case right
    case rightMirrored
    case left
}
