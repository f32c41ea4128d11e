// Contexts and stacks of fibers; used by emulator.cpp alone.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define EMULATOR_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define EMULATOR_ASAN 0
#endif

namespace emulator {

[[noreturn]] void fiber_entry();

#if defined(__x86_64__) || (defined(__aarch64__) && defined(__linux__))
#define EMULATOR_UCONTEXT 0

// The callee-saved registers lie on the stack of a context that does not run.
struct Context {
    void *stack_pointer;
};

extern "C" void emulator_switch(void **save, void *load) __asm__("emulator_switch");
extern "C" void emulator_resume() __asm__("emulator_resume");

#if defined(__x86_64__)
__asm__(R"(
    .text
    .p2align 4
    .globl emulator_switch
    .globl emulator_resume
emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
emulator_resume:
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");

inline void start_context(Context &context, void *stack_top) {
    // At a function's entry the stack pointer is 8 past a multiple of 16.
    void **frame = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(stack_top) & ~uintptr_t(15)) - 1;
    *frame = nullptr;
    *--frame = reinterpret_cast<void *>(&fiber_entry);
    for (int i = 0; i < 6; ++i) *--frame = nullptr;
    context.stack_pointer = frame;
}

// Makes the return from a signal handler continue in `context`.
inline void return_to(void *signal_context, const Context &context) {
    ucontext_t *u = static_cast<ucontext_t *>(signal_context);
    u->uc_mcontext.gregs[REG_RSP] = reinterpret_cast<greg_t>(context.stack_pointer);
    u->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&emulator_resume);
}
#else
__asm__(R"(
    .text
    .p2align 4
    .globl emulator_switch
    .globl emulator_resume
emulator_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
emulator_resume:
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
)");

inline void start_context(Context &context, void *stack_top) {
    void **frame = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(stack_top) & ~uintptr_t(15)) - 20;
    for (int i = 0; i < 20; ++i) frame[i] = nullptr;
    frame[11] = reinterpret_cast<void *>(&fiber_entry);
    context.stack_pointer = frame;
}

inline void return_to(void *signal_context, const Context &context) {
    ucontext_t *u = static_cast<ucontext_t *>(signal_context);
    u->uc_mcontext.sp = reinterpret_cast<uintptr_t>(context.stack_pointer);
    u->uc_mcontext.pc = reinterpret_cast<uintptr_t>(&emulator_resume);
}
#endif

inline void switch_context(Context &from, const Context &to) {
    emulator_switch(&from.stack_pointer, to.stack_pointer);
}

#else  // Any other host: slower, for swapcontext calls the kernel.
#define EMULATOR_UCONTEXT 1

struct Context {
    ucontext_t registers;
};

inline void start_context(Context &context, void *stack_top) {
    constexpr size_t kRoom = 48 << 10;
    getcontext(&context.registers);
    context.registers.uc_stack.ss_sp = static_cast<char *>(stack_top) - kRoom;
    context.registers.uc_stack.ss_size = kRoom;
    context.registers.uc_link = nullptr;
    makecontext(&context.registers, &fiber_entry, 0);
}

inline void return_to(void *, const Context &context) { setcontext(&context.registers); }

inline void switch_context(Context &from, const Context &to) { swapcontext(&from.registers, &to.registers); }
#endif

// Stacks with an inaccessible page below each, made at first use and kept.
class StackPool {
  public:
    static constexpr size_t kStackBytes = EMULATOR_ASAN ? 512 << 10 : 128 << 10;

    explicit StackPool(unsigned stacks) : page_(size_t(sysconf(_SC_PAGESIZE))), stacks_(stacks) {
        stride_ = kStackBytes + page_;
        void *map = mmap(nullptr, stride_ * stacks, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (map == MAP_FAILED) {
            perror("emulator: mmap of fiber stacks");
            abort();
        }
        map_ = static_cast<char *>(map);
    }
    ~StackPool() { munmap(map_, stride_ * stacks_); }
    StackPool(const StackPool &) = delete;
    StackPool &operator=(const StackPool &) = delete;

    void ensure(unsigned count) {
        for (; ready_ < count; ++ready_)
            if (mprotect(bottom(ready_), kStackBytes, PROT_READ | PROT_WRITE)) {
                perror("emulator: mprotect of a fiber stack");
                abort();
            }
    }
    char *bottom(unsigned i) const { return map_ + i * stride_ + page_; }
    // Tops differ in their cache sets, or the threads of a block would evict each other's frames.
    char *top(unsigned i) const { return bottom(i) + kStackBytes - i * 5 % 64 * 64; }
    bool has(const void *address) const { return size_t(static_cast<const char *>(address) - map_) < stride_ * stacks_; }
    // True if the address is in the inaccessible page below a stack.
    bool overflown(const void *address) const {
        size_t offset = size_t(static_cast<const char *>(address) - map_);
        return offset < stride_ * stacks_ && offset % stride_ < page_;
    }

  private:
    size_t page_;
    size_t stride_ = 0;
    unsigned stacks_;
    unsigned ready_ = 0;
    char *map_ = nullptr;
};

}  // namespace emulator
