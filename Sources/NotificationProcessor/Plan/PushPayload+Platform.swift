import NotificationModel

extension PushPayload {
    /// With the texts that it has for one platform in place of those for all.
    func speaking(to platform: PushPlatform) -> PushPayload {
        guard let own = platformTexts[platform] else { return self }
        var payload = self
        payload.successText = own.over(successText)
        return payload
    }
}
