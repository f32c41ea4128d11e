// Copies of contiguous runs from global to shared memory by the copy engine of Hopper and later GPUs: one thread asks, and no
// registers are passed through. Addresses and sizes are multiples of 16 bytes.
//
// Counts the bytes that have arrived. One thread prepares it, once, and begins each round of copies; after a barrier of
// the block all threads may wait for the round. The numbers of rounds go up from 0.
struct BulkCopies {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  static constexpr bool kAreThere = true;
#else
  static constexpr bool kAreThere = false;
#endif

  unsigned long long barrier;

  __device__ __forceinline__ void prepare() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" : : "r"(shared_address(&barrier)) : "memory");
    // The engine arrives at the barrier too.
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
#endif
  }

  // The copy engine reads and writes memory by the async proxy, all other instructions by the generic one. Causality order holds
  // for accesses by two proxies only with a proxy fence between them (PTX ISA, Memory Consistency Model, "Causality Order" and
  // "Async proxy"). Ordinary stores before a copy need one, which the next two functions are:
  //
  // - The start of a kernel behind another in a stream is a fence for all proxies ("Memory synchronization": synchronization
  //   by the CUDA API). griddepcontrol.wait is not named there, and a kernel that begins early has it alone.
  // - For a block's own stores either side of its barrier will do for the fence: that of the storing threads has it.
  //
  // Ordinary loads before a copy to where they read need none: a barrier of the block performs them, and a load that is
  // performed has its value. Nor do ordinary accesses behind a copy: its completion, which all wait for, is a fence itself.

  // The thread that asks for copies calls this after wait_for_previous_grid, before the first copy of what kernels before
  // have stored. The fence is in the block that copies, as mixed accesses by several blocks need it.
  static __device__ __forceinline__ void acquire_stores() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("fence.proxy.async.global;" : : : "memory");
#endif
  }

  // A thread that has stored by ordinary means where copies go later calls this before the barrier between the two.
  static __device__ __forceinline__ void release_stores() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
  }

  __device__ __forceinline__ void begin(unsigned int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" : : "r"(shared_address(&barrier)), "r"(bytes) : "memory");
#else
    static_cast<void>(bytes);
#endif
  }

  __device__ __forceinline__ void copy(void* to_shared, const void* from_global, unsigned int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : "r"(shared_address(to_shared)), "l"(from_global), "r"(bytes), "r"(shared_address(&barrier))
                 : "memory");
#else
    static_cast<void>(to_shared);
    static_cast<void>(from_global);
    static_cast<void>(bytes);
#endif
  }

  // Brings bytes that will be read nearer, those of them that the engine can take.
  static __device__ __forceinline__ void prefetch(const void* from_global, unsigned int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    const unsigned long long address = reinterpret_cast<unsigned long long>(from_global);
    const unsigned int skipped = static_cast<unsigned int>(-address % 16);
    if (bytes < skipped + 16) return;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" : : "l"(address + skipped), "r"((bytes - skipped) / 16 * 16));
#else
    static_cast<void>(from_global);
    static_cast<void>(bytes);
#endif
  }

  __device__ __forceinline__ void wait(unsigned int round) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile(
        "{\n"
        "  .reg .pred arrived;\n"
        "again:\n"
        "  mbarrier.try_wait.parity.shared.b64 arrived, [%0], %1;\n"
        "  @!arrived bra again;\n"
        "}"
        :
        : "r"(shared_address(&barrier)), "r"(round % 2)
        : "memory");
#else
    static_cast<void>(round);
#endif
  }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  static __device__ __forceinline__ unsigned int shared_address(const void* pointer) {
    return static_cast<unsigned int>(__cvta_generic_to_shared(pointer));
  }
#endif
};
