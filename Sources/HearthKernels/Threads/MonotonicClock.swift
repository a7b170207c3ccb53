#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Nanoseconds of a clock that only runs forward.
@inline(__always)
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}
