/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fiber_switch_regs(struct fiber *from [rdi], struct fiber *to [rsi])
 *
 * Saves what the System V ABI lets a callee assume (rbx, rbp, r12 to r15) on
 * the old stack and takes it from the new one. The saved stack pointer is the
 * first member of struct fiber.
 *
 * It ends in an indirect jump, not in ret: the return-stack buffer holds the
 * caller's address of the old fiber and would mispredict every time.
 */
#ifdef __x86_64__
	.text
#ifndef FIBER_UCONTEXT
	.globl	fiber_switch_regs
	.type	fiber_switch_regs, @function
fiber_switch_regs:
	.cfi_startproc
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsp, (%rdi)
	movq	(%rsi), %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	popq	%rcx
	jmp	*%rcx
	.cfi_endproc
	.size	fiber_switch_regs, .-fiber_switch_regs

/*
 * First resumption of a fiber: r12 holds the struct fiber, r13 the C entry.
 * The frame has no return address; the undefined rip ends backtraces here.
 */
	.globl	fiber_enter
	.type	fiber_enter, @function
fiber_enter:
	.cfi_startproc
	.cfi_undefined rip
	movq	%r12, %rdi
	callq	*%r13
	ud2
	.cfi_endproc
	.size	fiber_enter, .-fiber_enter
#endif

/*
 * fiber_call_at(void *sp [rdi], void (*fn)(void *) [rsi], void *arg [rdx])
 *
 * Calls fn on the 16-byte aligned sp, for good: it must not return.
 */
	.globl	fiber_call_at
	.type	fiber_call_at, @function
fiber_call_at:
	.cfi_startproc
	.cfi_undefined rip
	movq	%rdi, %rsp
	movq	%rdx, %rdi
	callq	*%rsi
	callq	fiber_returned
	.cfi_endproc
	.size	fiber_call_at, .-fiber_call_at
#endif
	.section .note.GNU-stack,"",@progbits
