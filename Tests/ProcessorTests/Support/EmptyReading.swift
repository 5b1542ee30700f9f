import NotificationModel

extension PushPayload {
    /// Whether a dialect found nothing in the payload. Its format, and the places where its texts would be, are known.
    var saysNothing: Bool {
        var reading = self
        reading.textPlaces = PushPayload().textPlaces
        reading.isFCMMessage = false
        return reading == PushPayload()
    }
}
