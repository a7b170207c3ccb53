#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the C library does for the template language: printing floats, powers, the time of day.
enum PlatformNumbers {
    /// A float by one conversion of C's `printf`, correctly rounded: `f`, `e` or `g`.
    static func text(of value: Double, _ conversion: Character, precision: Int, alternate: Bool = false) -> String {
        let format = "%" + (alternate ? "#" : "") + ".\(precision)\(conversion)"
        return unsafe withVaList([value]) { list in
            // 310 digits before the point at most.
            let size = 330 + precision
            return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
                let count = unsafe vsnprintf(buffer.baseAddress!, size, format, list)
                return unsafe String(decoding: UnsafeRawBufferPointer(buffer)[..<Int(max(0, count))], as: UTF8.self)
            }
        }
    }

    /// Nil for 0 to a negative power.
    static func power(_ base: Double, _ exponent: Double) -> Double? {
        if base == 0, exponent < 0 { return nil }
        return pow(base, exponent)
    }

    /// Processor time of this thread.
    static func threadNanoseconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }

    /// The local time; nil when the C library has none.
    static func localTime() -> TemplateDate? {
        var seconds = time(nil)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
        return unsafe TemplateDate(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
    }
}
