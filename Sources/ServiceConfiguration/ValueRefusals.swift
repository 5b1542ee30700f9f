/// Every refused part of one value.
struct ValueRefusals: Error, Sendable {
    var all: [ValueRefusal]

    init(_ all: [ValueRefusal]) { self.all = all }
    init(_ source: ValueSource, _ text: String) { all = [ValueRefusal(source: source, text: text)] }

    /// The same of the value that has this one as its part.
    func below(_ place: String) -> [ValueRefusal] {
        all.map { ValueRefusal(source: $0.source, place: place + $0.place, text: $0.text) }
    }
}
