/// Every refused part of one value.
struct ValueErrors: Error, Sendable {
    var all: [ValueError]

    init(_ all: [ValueError]) { self.all = all }
    init(_ source: ValueSource, _ text: String) { all = [ValueError(source: source, text: text)] }

    /// The same of the value that has this one as its part.
    func below(_ place: String) -> [ValueError] {
        all.map { ValueError(source: $0.source, place: place + $0.place, text: $0.text) }
    }
}
