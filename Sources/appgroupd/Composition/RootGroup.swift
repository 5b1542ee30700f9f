import LinuxIO
import NotificationModel
import ServiceConfiguration

/// The configured group of users that may read the files of a root. This type compares it with the group of existing
/// files.
///
/// New files and directories get the group of the directory in which they are created. The files of an older root keep
/// their group. So a web server or an app could read only some files of the root.
struct RootGroup {
    private let root: String
    private let name: String
    private let identifier: UInt32

    /// Creates the value for a configuration.
    ///
    /// - Returns: The result is `nil` if no group is configured, or if the group does not exist.
    init?(_ configuration: Configuration) {
        guard let name = configuration.files.group, let identifier = UserGroup.identifier(of: name) else { return nil }
        root = configuration.root
        self.name = name
        self.identifier = identifier
    }

    /// The problem with the directories of app groups, with the command that solves it. The value is `nil` if all
    /// directories have the right group.
    var problem: String? {
        guard let other = directoryOfAnotherGroup else { return nil }
        let path = Self.quoted(root)
        return "\(root)/\(other) and what is in it belong to another group of users than \(name): hand them over with: "
            + "chgrp -R \(Self.quoted(name)) \(path) && find \(path) -type d -exec chmod g+rxs {} + && "
            + "find \(path) -type f -exec chmod g+r {} +"
    }

    /// Returns a word of a shell command, in quotes if the word needs them.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
                || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
        }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    private var directoryOfAnotherGroup: String? {
        guard let names = try? FileSystem.names(in: root) else { return nil }
        return names.sorted().first { name in
            guard AppGroupName(name) != nil, let info = try? FileSystemInfo.of("\(root)/\(name)") else { return false }
            return info.group != identifier
        }
    }
}
