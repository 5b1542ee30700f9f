import JSON
import NotificationModel

/// A payload as one receiver gets it.
extension PushPayload {
    /// This payload with the texts that it has for one platform in place of those for all, and with its details.
    func speaking(to platform: PushPlatform) -> PushPayload {
        var payload = self
        if let own = platformTexts[platform] {
            payload.successText = own.over(successText)
            // Silence is Apple's: `content-available` without an alert.
            if platform != .apns, !own.isBlank { payload.isSilent = false }
        }
        if let own = platformSignals[platform] { (payload.aps.badge, payload.aps.sound) = (own.badge, own.sound) }
        for member in platformDetails[platform]?.members ?? [] where details[member.key] == nil {
            payload.details.append(member.key, member.value)
        }
        return payload
    }

    /// This payload with the parts that the receiver's system shows or plays.
    ///
    /// Sounds and badges need their own authorization (Apple, "UNAuthorizationOptions"). With a provisional one the
    /// system "delivers provisional notifications quietly": they appear in the notification center, without a sound or a
    /// banner (Apple, "Asking permission to use notifications").
    func permitted(by permissions: Permissions) -> PushPayload {
        var payload = self
        if !permissions.badge { payload.aps.badge = nil }
        if !permissions.sound || permissions.provisional { payload.aps.sound = nil }
        if permissions.provisional { payload.aps.interruptionLevel = .passive }
        return payload
    }
}
