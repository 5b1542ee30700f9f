import LinuxIO
import NotificationModel
import TranscodeProtocol

/// Why a pool makes no renditions.
extension MediaFailure {
    init(cannotStart executable: String, _ problem: SystemError?) {
        let reason = problem.map { ": \($0.reason)" } ?? ""
        guard let problem, problem.isOutOfDescriptors || problem.isTryAgain else {
            self.init(
                .workerCrashed, "the worker \(executable) cannot be started\(reason): reinstall it beside appgroupd")
            return
        }
        self.init(.overloaded, "no worker can be started at the moment\(reason)")
    }

    init(crash end: ProcessEnd?) {
        self.init(.workerCrashed, "the worker ended while it was at this file\(end.map { ", by \($0)" } ?? "")")
    }

    static let crash = MediaFailure(crash: nil)
    static let overloaded = MediaFailure(
        .overloaded, "the workers were busy, and none had time for it before its budget ended")
    static let budgetExceeded = MediaFailure(
        .budgetExceeded, "the budget ended while renditions were made")
}

extension Stage {
    init(_ stage: TranscodeStage) {
        let name: StageName =
            switch stage.name {
            case .inspect: .inspect
            case .decode: .decode
            case .scale: .scale
            case .encode: .encode
            }
        self.init(name: name, duration: .microseconds(Int64(clamping: stage.microseconds)))
    }
}
