import Glibc

/// Ctrl-C and SIGTERM before `main` runs: the loader calls what stands in `.init_array` as soon as the libraries are there,
/// some tens of milliseconds earlier. Nothing has begun then, so the program leaves with the documented status;
/// `Signals.install` takes over.
@used @section(".init_array")
let takeSignalsEarly: @convention(c) () -> Void = {
    for number in [SIGINT, SIGTERM] {
        // A parent that runs us in the background may have it ignored (SIG_IGN is the address 1): leave that be.
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0,
            unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != 1
        else { continue }
        _ = signal(number) { _exit($0 == SIGTERM ? 143 : 130) }
    }
}
