import CSeccomp
import Glibc
package import LinuxIO

/// A filter of system calls (seccomp(2)). The kernel executes the calls of a list, and traps all others.
@safe
package struct SystemCallFilter: ~Copyable {
    private let context: scmp_filter_ctx

    /// Creates a filter for a list of calls.
    ///
    /// - Throws: A `SystemError` if libseccomp does not know a call, or has no memory.
    package static func make(allowing calls: [AllowedCall]) throws(SystemError) -> SystemCallFilter {
        guard let context = unsafe seccomp_init(SCMP_ACT_TRAP) else {
            throw SystemError("seccomp_init", errno: ENOMEM)
        }
        let filter = unsafe SystemCallFilter(context: context)
        // Calls of another architecture (i386, x32), which have other numbers for the same names, are also trapped.
        try check(unsafe seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRAP), "seccomp_attr_set")
        for call in calls { try filter.allow(call) }
        return filter
    }

    deinit { unsafe seccomp_release(context) }

    /// Loads the filter into the calling process, which cannot remove it. The method also sets `PR_SET_NO_NEW_PRIVS`.
    ///
    /// - Throws: `EINVAL` on a kernel without filters, `EPERM` or `ENOSYS` if the daemon's supervisor forbids them.
    package borrowing func load() throws(SystemError) {
        try Self.check(unsafe seccomp_load(context), "seccomp_load")
    }

    private borrowing func allow(_ call: AllowedCall) throws(SystemError) {
        let number = unsafe seccomp_syscall_resolve_name(call.name)
        guard number != __NR_SCMP_ERROR else { throw SystemError("seccomp rule \(call.name)", errno: EINVAL) }
        for conditions in call.arguments.isEmpty ? [[]] : call.arguments {
            let comparisons = conditions.map { condition in
                scmp_arg_cmp(
                    arg: condition.position, op: SCMP_CMP_MASKED_EQ, datum_a: condition.mask, datum_b: condition.value)
            }
            try Self.check(
                unsafe seccomp_rule_add_array(
                    context, SCMP_ACT_ALLOW, number, UInt32(comparisons.count), comparisons),
                "seccomp rule \(call.name)")
        }
    }

    private static func check(_ result: Int32, _ call: String) throws(SystemError) {
        guard result == 0 else { throw SystemError(call, errno: -result) }
    }
}

/// The names of system calls.
package enum SystemCallName {
    /// The bit that marks a number of the x32 interface.
    private static let x32: Int32 = 0x4000_0000

    /// Returns the name of a call, such as `openat`, or `call 4711` for a number that libseccomp does not know.
    ///
    /// The name of a call from a foreign interface begins with that interface, as in `i386 getpid`.
    ///
    /// - Parameter architecture: An `AUDIT_ARCH_*` of linux/audit.h.
    package static func of(_ number: Int32, architecture: UInt32) -> String {
        let isNative = architecture == seccomp_arch_native()
        if isNative, number > 0, number & x32 != 0 { return "x32 \(name(of: number & ~x32, architecture))" }
        let isI386 = unsafe architecture == seccomp_arch_resolve_name("x86")
        let prefix = isNative ? "" : isI386 ? "i386 " : "architecture \(String(architecture, radix: 16)) "
        return prefix + name(of: number, architecture)
    }

    private static func name(of number: Int32, _ architecture: UInt32) -> String {
        guard let name = unsafe seccomp_syscall_resolve_num_arch(architecture, number) else { return "call \(number)" }
        defer { unsafe free(name) }
        return unsafe String(cString: name)
    }
}
