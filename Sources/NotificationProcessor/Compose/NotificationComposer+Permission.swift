import JSON
import NotificationModel

/// The permission that decided a refusal, for `details.permission` of the result.
extension NotificationComposer {
    /// A permission that refused the request or its media, the layer that decided it, and the version of the receiver's
    /// settings if they decided it.
    struct Refusal {
        let permission: Permission
        let rule: PermissionRule
        let version: Int?

        var json: JSONValue {
            [
                "name": .string(permission.rawValue), "rule": .string(rule.rawValue),
                "version": version.map { .number(JSONNumber($0)) } ?? .null,
            ]
        }
    }

    /// Returns the permission that refused the request or one of its media; `nil` if no permission did.
    func refusal(among verdicts: [Verdict]) -> Refusal? {
        guard let permission = refusingPermission(among: verdicts) else { return nil }
        let rule = request.layers.decision(on: permission).rule
        return Refusal(
            permission: permission, rule: rule, version: rule == .recipient ? request.receiver?.stored?.version : nil)
    }

    private func refusingPermission(among verdicts: [Verdict]) -> Permission? {
        switch plan.noMedia {
        case .serviceNotPermitted: return .service
        case .alertNotPermitted: return .alert
        case .expired, .mediaMissing, .nothingToDo, nil: break
        }
        if !request.permissions.download, verdicts.contains(where: { $0.failure?.reason == .downloadNotPermitted }) {
            return .download
        }
        return verdicts.contains { $0.failure?.reason == .wifiOnly } ? .wifiOnly : nil
    }
}

extension PushPayload {
    /// Returns this payload with the permission that refused the request in its details.
    func explaining(_ refusal: NotificationComposer.Refusal?) -> PushPayload {
        guard let refusal else { return self }
        var payload = self
        payload.details.set("permission", refusal.json)
        return payload
    }
}
