import CLinuxShims

/// A limit of the calling process: what counts now, and up to where it may raise that (getrlimit(2)). `nil`: no limit.
package struct SoftAndHardLimit: Sendable, Equatable {
    package enum Resource: Sendable {
        case core
        case data
        case fileSize
        case openFiles
        case processes
        /// In seconds.
        case processorTime
    }

    package let soft: UInt64?
    package let hard: UInt64?

    package static func of(_ resource: Resource) -> SoftAndHardLimit? {
        var soft: UInt64 = 0
        var hard: UInt64 = 0
        let result =
            switch resource {
            case .core: unsafe agd_limits_of_core(&soft, &hard)
            case .data: unsafe agd_limits_of_data(&soft, &hard)
            case .fileSize: unsafe agd_limits_of_file_size(&soft, &hard)
            case .openFiles: unsafe agd_limits_of_open_files(&soft, &hard)
            case .processes: unsafe agd_limits_of_processes(&soft, &hard)
            case .processorTime: unsafe agd_limits_of_processor_time(&soft, &hard)
            }
        guard result == 0 else { return nil }
        return SoftAndHardLimit(soft: soft == .max ? nil : soft, hard: hard == .max ? nil : hard)
    }
}
