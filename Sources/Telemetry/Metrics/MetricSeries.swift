/// The numbers of one metric with one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// Without the labels that all of the series have.
    var samples: [MetricFamily.Sample] { get }
}
