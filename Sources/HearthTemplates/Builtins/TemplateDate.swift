/// A date and time of day, for `strftime_now`.
package struct TemplateDate: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// - Returns: nil for a date that is not in the calendar.
    package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// Day of the year from 0.
    private var dayOfYear: Int {
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return lengths.prefix(month - 1).reduce(0, +) + day - 1
    }

    /// From 0, Sunday.
    private var weekday: Int {
        let before = year - 1
        return (before * 365 + before / 4 - before / 100 + before / 400 + dayOfYear + 1) % 7
    }

    /// The conversions of C's `strftime` in the C locale; nil with the conversion that is not known.
    func formatted(_ format: Text) -> (Text?, unknown: String) {
        var out = Text([], .template)
        var isConversion = false
        var width: Character? = nil
        for character in format.string {
            guard isConversion else {
                if character == "%" {
                    isConversion = true
                } else {
                    out.append(String(character), format.cautiousOrigin)
                }
                continue
            }
            if character == "-", width == nil {
                width = "-"
                continue
            }
            guard let text = text(of: character, isShort: width == "-") else { return (nil, "%" + String(character)) }
            out.append(text, .template)
            (isConversion, width) = (false, nil)
        }
        if isConversion { out.append("%", .template) }
        return (out, "")
    }

    private func text(of conversion: Character, isShort: Bool) -> String? {
        func number(_ value: Int, _ width: Int = 2) -> String {
            let digits = String(value)
            return isShort ? digits : String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let hour12 = hour % 12 == 0 ? 12 : hour % 12
        switch conversion {
        case "Y": return number(year, 4)
        case "y": return number(year % 100)
        case "C": return number(year / 100)
        case "m": return number(month)
        case "d": return number(day)
        case "e": return day < 10 && !isShort ? " \(day)" : "\(day)"
        case "H": return number(hour)
        case "I": return number(hour12)
        case "M": return number(minute)
        case "S": return number(second)
        case "f": return "000000"
        case "j": return number(dayOfYear + 1, 3)
        case "B": return Self.months[month - 1]
        case "b", "h": return String(Self.months[month - 1].prefix(3))
        case "A": return Self.days[weekday]
        case "a": return String(Self.days[weekday].prefix(3))
        case "w": return "\(weekday)"
        case "u": return "\(weekday == 0 ? 7 : weekday)"
        case "p": return hour < 12 ? "AM" : "PM"
        case "F": return "\(number(year, 4))-\(number(month))-\(number(day))"
        case "T", "X": return "\(number(hour)):\(number(minute)):\(number(second))"
        case "R": return "\(number(hour)):\(number(minute))"
        case "D", "x": return "\(number(month))/\(number(day))/\(number(year % 100))"
        case "U": return number((dayOfYear + 7 - weekday) / 7)
        case "W": return number((dayOfYear + 7 - (weekday + 6) % 7) / 7)
        case "c":
            return "\(Self.days[weekday].prefix(3)) \(Self.months[month - 1].prefix(3)) \(day < 10 ? " " : "")\(day) "
                + "\(number(hour)):\(number(minute)):\(number(second)) \(year)"
        case "Z", "z": return ""
        case "n": return "\n"
        case "t": return "\t"
        case "%": return "%"
        default: return nil
        }
    }
}
