import LinuxIO
import NotificationModel
package import ServiceConfiguration

/// The configured group of users that may read the files of a root. It is compared with the group of existing files.
///
/// New files and directories get the group of the directory in which they are created. The files of an older root keep
/// their group. So a web server or an app could read only some files of the root.
package enum RootGroup {
    /// Returns the problem with the directories of app groups, with the command that solves it. Returns `nil` without a
    /// problem, if no group is configured, or if the group does not exist.
    package static func problem(with configuration: Configuration) -> String? {
        let root = configuration.root
        guard let name = configuration.files.group, let identifier = UserGroup.identifier(of: name),
            let other = directory(in: root, ofOtherGroupThan: identifier)
        else { return nil }
        let path = quoted(root)
        return "\(root)/\(other) and what is in it belong to another group of users than \(name): hand them over with: "
            + "chgrp -R \(quoted(name)) \(path) && find \(path) -type d -exec chmod g+rxs {} + && "
            + "find \(path) -type f -exec chmod g+r {} +"
    }

    /// Returns a word of a shell command, in quotes if the word needs them.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            "/.-_".utf8.contains(byte) || Character(Unicode.Scalar(byte)).isLetter
                || Character(Unicode.Scalar(byte)).isNumber
        }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    private static func directory(in root: String, ofOtherGroupThan group: UInt32) -> String? {
        guard let names = try? FileSystem.names(in: root) else { return nil }
        return names.sorted().first { name in
            guard AppGroupName(name) != nil, let info = try? FileSystemInfo.of("\(root)/\(name)") else { return false }
            return info.group != group
        }
    }
}
