/* Compiles a template for each level of vector instructions: TEMPLATE names the file. */
#define TARGET
#define KERNEL(name) name##_scalar
#include TEMPLATE
#undef KERNEL
#undef TARGET
#if BW_SIMD_X86
#    define TARGET BW_AVX2
#    define KERNEL(name) name##_avx2
#    include TEMPLATE
#    undef KERNEL
#    undef TARGET
#endif
#undef TEMPLATE
