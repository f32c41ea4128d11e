// Merges wait for memory most of the time, the less the more blocks there are. No multiprocessor of sm_75 has as many threads.
extern "C" __global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
__launch_bounds__({{ threads }})
#else
__launch_bounds__({{ threads }}, {{ resident_merges }})
#endif
