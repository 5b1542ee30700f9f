import Base
package import FoundationEssentials
package import NotificationModel

/// The targets that get a message about a notification. The journal asks while it commits a result, so that the message
/// is stored in the same transaction.
package struct CallbackRouting: Sendable, Equatable {
    /// The part of a target's settings that decides which messages it gets.
    package struct Target: Sendable, Equatable {
        /// The form of the messages that a target gets.
        package enum Form: Sendable, Equatable {
            /// Signed messages about results and receipts, by Standard Webhooks.
            case webhook
            /// Receipts of pushes from Sendios.
            ///
            /// - Parameter senderID: The sender of pushes that name none.
            case sendios(senderID: Int)
            /// Receipts of messages from Comapi.
            case comapi

            /// The dialect whose messages have receipts of the form; `nil` for messages of any dialect.
            fileprivate var provider: String? {
                switch self {
                case .webhook: nil
                case .sendios: "sendios"
                case .comapi: "comapi"
                }
            }
        }

        package var name: String
        package var form = Form.webhook
        package var groups: GroupPermission
        /// The groups whose messages the target does not get, because they have credentials of their own.
        package var otherGroups: Set<AppGroupName> = []
        /// Whether the server of a provider gets the opt-outs of recipients.
        package var takesOptOuts = false
        /// The types of events; empty for all types.
        package var types: Set<String>
        /// Whether a message has the whole result, if there is room for it.
        package var hasResult: Bool
        /// The beginning of the URLs that requests may name as their `callback`: scheme, host and port with a slash;
        /// `nil` if the target takes no URLs of requests.
        package var requestOrigin: String?

        package init(
            name: String, groups: GroupPermission = .all, types: Set<String> = [], hasResult: Bool = true,
            requestOrigin: String? = nil
        ) {
            self.name = name
            self.groups = groups
            self.types = types
            self.hasResult = hasResult
            self.requestOrigin = requestOrigin
        }

        /// Returns whether a provider's server gets the opt-outs of the recipients of a group.
        package func takesOptOuts(in group: AppGroupName) -> Bool {
            takesOptOuts && groups.contains(group) && !otherGroups.contains(group)
        }

        package func takes(_ type: String, in group: AppGroupName) -> Bool {
            form == .webhook && groups.contains(group) && (types.isEmpty || types.contains(type))
        }

        /// Returns whether a provider's server gets the receipts of a notification. It gets those of its own messages.
        package func passesOn(_ event: Receipt.Event, of names: ListedNames, in group: AppGroupName) -> Bool {
            guard groups.contains(group), !otherGroups.contains(group), names.provider == form.provider else {
                return false
            }
            return switch form {
            case .webhook: false
            case .sendios: names.providerID != nil && CallbackBody.sendiosEvents[event] != nil
            // Whether a click is reported depends on the details of the message.
            case .comapi:
                event == .clicked
                    || [.delivered, .read].contains(event) && names.providerID != nil && names.thread != nil
                        && names.recipient != nil
            }
        }
    }

    package var targets: [Target]
    /// The beginning of links to results, without a slash at its end; empty for links without scheme and host.
    package var linkBase: String

    package init(targets: [Target], linkBase: String = "") {
        self.targets = targets
        self.linkBase = linkBase
    }

    /// Returns the target that takes the URL of a request; `nil` if no target permits its origin.
    package func target(forRequestURL url: String, in group: AppGroupName) -> Target? {
        targets.first { target in
            guard target.groups.contains(group), let origin = target.requestOrigin else { return false }
            return url.hasPrefix(origin)
        }
    }
}

/// The body of a message to a target, in the form of Standard Webhooks: `type`, `timestamp` and `data`.
package enum CallbackBody {
    /// The size of a body, in bytes, above which the result is replaced by its link. Standard Webhooks recommends less
    /// than 20 kB.
    package static let most = 20_000

    /// Returns the body about a result.
    package static func bytes(
        _ content: EmittedContent, _ emitted: EmittedFacts, at date: Date, hasResult: Bool, linkBase: String
    ) -> [UInt8] {
        var data = facts(content.key, content.outcome, content.reason, emitted.names)
        data.append("nextStep", .text(content.reason?.advice))
        data.append("link", .string(link(to: content.key, base: linkBase)))
        emitted.trace.add(to: &data)
        let body = whole(CallbackType.name(of: content.outcome), at: date, data)
        guard hasResult, body.count + content.json.count + resultKey.count < most else { return body }
        // The result is JSON already, so it is not parsed again. The two braces at the end close `data` and the body.
        return Array(body.dropLast(2)) + resultKey + content.json + Array("}}".utf8)
    }

    /// Returns the body about a receipt of a notification.
    package static func bytes(
        _ event: Receipt.Event, at time: Date, of listed: ListedNotification, at date: Date, linkBase: String
    ) -> [UInt8] {
        var data = facts(listed.key, listed.outcome, listed.reason, listed.names)
        data.append("event", .string(event.rawValue))
        data.append("at", .timestamp(time))
        data.append("link", .string(link(to: listed.key, base: linkBase)))
        return whole(CallbackType.name(of: event), at: date, data)
    }

    private static let resultKey = Array(#","result":"#.utf8)

    private static func whole(_ type: String, at date: Date, _ data: JSONObject) -> [UInt8] {
        JSONWriter.bytes(of: ["type": .string(type), "timestamp": .timestamp(date), "data": .object(data)])
    }

    private static func facts(
        _ key: RequestKey, _ outcome: Outcome, _ reason: DegradationReason?, _ names: ListedNames
    ) -> JSONObject {
        [
            "id": .string(key.id.description), "appGroup": .string(key.group.description),
            "outcome": .string(outcome.rawValue), "reason": .text(reason?.rawValue),
            "provider": .text(names.provider), "providerId": .text(names.providerID),
            "recipient": .text(names.recipient), "thread": .text(names.thread),
            "labels": .array(names.labels.map { .string($0) }),
        ]
    }

    private static func link(to key: RequestKey, base: String) -> String {
        "\(base)/v1/notifications/\(PercentEncoding.text(of: "\(key.id)"))?group=\(key.group)"
    }
}
