import Glibc

package enum ProcessorCount {
    /// Processors that are online, at least 1.
    package static var current: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
