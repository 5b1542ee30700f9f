import NotificationModel

extension PushPayload {
    /// Whether a dialect found nothing in the payload. The places where its texts would be are known all the same.
    var saysNothing: Bool {
        var reading = self
        reading.textPlaces = PushPayload().textPlaces
        return reading == PushPayload()
    }
}
