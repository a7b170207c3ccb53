/* Counts a process's allocations, preloaded by LD_PRELOAD: Tests/HearthInferenceTests/Generation/AllocationTests.swift builds it
 * and asks it. Every way to memory that the engine could take is here; freeing costs a step no less, but comes with one of
 * these. With HEARTH_ALLOCATIONS_SHOWN=N the first N of a watched stretch print where they come from. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static atomic_long allocations;
static atomic_long shown;
/* A backtrace may allocate: it does not count itself. */
static __thread int inside;

static void note(void) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    if (atomic_load_explicit(&shown, memory_order_relaxed) <= 0 || inside) return;
    inside = 1;
    if (atomic_fetch_sub(&shown, 1) > 0) {
        void *frames[24];
        int count = backtrace(frames, 24);
        backtrace_symbols_fd(frames, count, 2);
        (void)!write(2, "\n", 1);
    }
    inside = 0;
}

/* Allocations of all threads so far. */
long hearth_allocations(void) { return atomic_load_explicit(&allocations, memory_order_relaxed); }

/* From now on the first allocations are shown, as many as the environment says; 0 ends it. */
void hearth_show_allocations(int on) {
    const char *wanted = getenv("HEARTH_ALLOCATIONS_SHOWN");
    atomic_store(&shown, on && wanted ? atol(wanted) : 0);
}

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { note(); return __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { note(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

void *mmap(void *place, size_t size, int protection, int flags, int file, off_t offset) {
    note();
    return (void *)syscall(SYS_mmap, place, size, protection, flags, file, offset);
}
