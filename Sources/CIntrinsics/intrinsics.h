// The vendor's vector intrinsics and cpuid, made visible to Swift. Nothing is declared here.
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
