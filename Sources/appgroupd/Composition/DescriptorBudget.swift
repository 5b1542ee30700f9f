import LinuxIO

/// The work that the limit of open files permits at a time.
enum DescriptorBudget {
    /// Descriptors of a pipeline without work: its threads, indexes and workers. 44 were counted after its first media item.
    static let ofPipeline = 64
    /// Descriptors of one media item: its connection, its download and its renditions.
    private static let ofMedium = 12
    /// Descriptors of a command that leaves the work to a daemon, without its calls.
    static let ofClient = 32

    /// Returns how many media items a pipeline can work on at a time, 1 or more.
    static func media(openFiles: Int = ResourceLimits.openFiles) -> Int {
        max(1, (openFiles - ofPipeline) / ofMedium)
    }

    /// Returns how many open files a number of media items needs at a time.
    static func openFiles(for media: Int) -> Int { ofPipeline + media * ofMedium }

    /// Returns how many calls of a daemon a command can make at a time, 1 or more.
    static func calls(openFiles: Int = ResourceLimits.openFiles) -> Int { max(1, openFiles - ofClient) }
}
