// Faults that end a block: illegal accesses and endless loops; used by emulator.cpp alone.
#pragma once

#include "memory.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include <initializer_list>

namespace emulator {
namespace {

// Called where there is no block to abandon; the driver puts the text into its protocol.
void (*fatal_handler)(const char *text);

void on_signal(int signal, siginfo_t *info, void *signal_context) {
    Block *b = current;
    const bool timeout = signal == SIGPROF;
    if (timeout && (!b || !b->in_fibers || b->switching)) return;  // the timer fires again
    char text[512];
    if (timeout) {
        snprintf(text, sizeof text, "no end after the time that EMULATOR_SECONDS allows: an endless loop");
    } else if (signal == SIGSEGV || signal == SIGBUS) {
        bool write = false;
#if defined(__x86_64__)
        write = static_cast<ucontext_t *>(signal_context)->uc_mcontext.gregs[REG_ERR] & 2;
#endif
        if (b && b->stacks.overflown(info->si_addr))
            snprintf(text, sizeof text, "stack overflow: a thread has %zu bytes", StackPool::kStackBytes);
        else if (!describe_address(info->si_addr, write, text, sizeof text))
            snprintf(text, sizeof text, "invalid %s address %p", write ? "write to" : "access of", info->si_addr);
    } else {
        snprintf(text, sizeof text, "%s", signal == SIGFPE ? "integer division by zero" : "illegal instruction");
    }
    if (!b || !b->in_fibers) {
        fprintf(stderr, "emulator: %s\n", text);
        if (fatal_handler) fatal_handler(text);
        _exit(3);
    }
    begin_message(*b);
    append(b->message, sizeof b->message, "%s", text);
    b->failed = true;
    b->in_fibers = false;
#if EMULATOR_ASAN
    __sanitizer_start_switch_fiber(nullptr, b->scheduler_stack, b->scheduler_stack_bytes);
#endif
    return_to(signal_context, b->scheduler);
}

void install_handlers() {
    static const bool once = [] {
        struct sigaction action = {};
        action.sa_sigaction = on_signal;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF}) sigaction(signal, &action, nullptr);
        return true;
    }();
    (void)once;
}

// The resources of an OS thread while it runs blocks: a stack for the signal handler, and a timer that ends
// loops which never wait.
class FaultGuard {
  public:
    FaultGuard() {
        install_handlers();
        stack_t stack = {};
        stack.ss_sp = stack_;
        stack.ss_size = sizeof stack_;
        sigaltstack(&stack, &old_stack_);
#if defined(__linux__)
        sigevent event = {};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGPROF;
#if defined(sigev_notify_thread_id)
        event.sigev_notify_thread_id = pid_t(syscall(SYS_gettid));
#else
        event._sigev_un._tid = pid_t(syscall(SYS_gettid));
#endif
        armed_ = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
#endif
    }
    ~FaultGuard() {
#if defined(__linux__)
        if (armed_) timer_delete(timer_);
#endif
        // Before the thread ends: a sanitizer unmaps the stack it set up itself.
        sigaltstack(&old_stack_, nullptr);
    }
    void start_clock() {
#if defined(__linux__)
        static const long seconds = [] {
            const char *text = getenv("EMULATOR_SECONDS");
            long given = text ? atol(text) : 0;
            return given > 0 ? given : 120;
        }();
        itimerspec spec = {};
        spec.it_value.tv_sec = seconds;
        spec.it_interval.tv_nsec = 20000000;
        if (armed_) timer_settime(timer_, 0, &spec, nullptr);
#endif
    }

  private:
    alignas(16) unsigned char stack_[64 << 10];
    stack_t old_stack_ = {};
#if defined(__linux__)
    timer_t timer_ = {};
#endif
    bool armed_ = false;
};

}  // namespace
}  // namespace emulator
