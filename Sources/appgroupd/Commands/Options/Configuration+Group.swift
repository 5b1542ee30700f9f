import CommandSupport
import NotificationModel
import Primitives
import ServiceConfiguration

extension Configuration {
    /// Returns the configuration of an app group that a flag names.
    ///
    /// - Throws: A failure with status 2 if the group is not served.
    func ofServed(_ group: AppGroupName) throws(CommandFailure) -> Configuration {
        guard groups.served.contains(group) else {
            let hint = NearestWord.nearest(to: group.description, among: groups.names).map { "did you mean \($0)?" }
            let served = ([AppGroupName.default.description] + groups.names).joined(separator: ", ")
            throw CommandFailure(
                .usage, "--group \(group): \(hint ?? "the daemon does not serve it: the key groups names \(served)")")
        }
        return of(group: group.description)
    }
}
