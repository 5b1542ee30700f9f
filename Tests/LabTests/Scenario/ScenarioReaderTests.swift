import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import Scenarios

struct ScenarioReaderTests {
    private static let payload = #"payload: {aps: {alert: {title: A, body: B}, mutable-content: 1}}"#

    private func read(_ text: String, variables: [String: String] = [:]) throws -> Scenario {
        try ScenarioReader.scenario(text, file: "a/slow.yaml", variables: variables)
    }

    private func problems(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch let problems as ScenarioProblems {
            return problems.all.map { "\($0.mark.line):\($0.mark.column) \($0.text)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `a scenario is read with the places of its expectations`() throws {
        let scenario = try read(
            """
            name: slow picture falls back to text
            payload: {aps: {alert: Hi, mutable-content: 1}, image: "https://cdn.example/a.jpg"}
            origin:
              /a.jpg: {stall: {after: 1000}}
              cdn.example/b.jpg: {delay: 2s, status: 503}
              https://cdn.example/c.jpg: /flaky/2/reset/9/
              /d.jpg: {redirect: "https://cdn.example/a.jpg"}
              /e.jpg: ok
            budget: 2s
            network: {down: 1.6Mbit/s, latency: 150ms, firstConnectionLost: true}
            hosts: {cdn.example: {dns: nxdomain, dnsDelay: 2s, connect: black-hole, certificate: expired}}
            now: 2026-01-31T12:00:00Z
            seed: 7
            expect: {outcome: fallback, reason: budget-exceeded, within: 2.05s, hits: {/a.jpg: ">= 1"}}
            """)
        #expect(scenario.name == "slow picture falls back to text")
        #expect(
            scenario.origin.map(\.answers.first?.faults) == [
                [.cut(Cut(after: 1000, .stall))], [.delay(.seconds(2)), .status(503)],
                [.flaky(failures: 2), .cut(Cut(after: 9, .reset))], [.redirect(to: "https://cdn.example/a.jpg")], [],
            ])
        #expect(scenario.origin.map(\.host) == [nil, "cdn.example", "cdn.example", nil, nil])
        #expect(scenario.link?.bytesPerSecond == 200_000 && scenario.link?.losesFirstConnection == true)
        #expect(scenario.hosts.first?.name == .missing && scenario.hosts.first?.certificate == .expired)
        #expect(scenario.seed == 7 && scenario.now != nil)
        #expect(scenario.steps.first?.envelope["budget"] == .string("2s"))
        let expectation = scenario.expectation
        #expect(expectation.outcome?.value == .fallback)
        #expect(expectation.outcome?.mark == TextMark(line: 14, column: 19))
        #expect(expectation.within?.value.most == 2.05 && expectation.hits.count == 1)
    }

    @Test func `variables replace names in double braces`() throws {
        let text = Self.payload + "\nlocale: \"{{ language }}\"\nexpect: {title: \"{{word}}!\"}"
        let scenario = try read(text, variables: ["language": "de-AT", "word": "Hello"])
        #expect(scenario.steps[0].envelope["locale"] == .string("de-AT"))
        #expect(scenario.expectation.title?.value == "Hello!")
    }

    @Test func `a list has an answer for each request, and the configuration has the values of its keys`() throws {
        let text = "origin: {/a.jpg: [{status: 503}, ok]}\nconfiguration: {fetch.allowPorts: [80, 8080]}"
        let scenario = try read("\(Self.payload)\n\(text)\nexpect: {outcome: rich}")
        #expect(scenario.origin.first?.answers.map(\.faults) == [[.status(503)], []])
        #expect(scenario.configuration != nil)
    }

    @Test(arguments: [
        ("nse: {os: Android 14}", "android"), ("nse: {os: Android 14}\nprofile: web", "web"),
        ("nse: {os: iOS 17}", nil),
    ]) func `an Android phone sets the profile unless the scenario has one`(_ keys: String, _ profile: String?) throws {
        let text = "payload: {aps: {alert: Hi}}\n\(keys)\nexpect: {outcome: rich}"
        let scenario = try ScenarioReader.scenario(text, file: "x.yaml")
        #expect(scenario.steps.first?.envelope["profile"]?.string == profile)
    }

    @Test func `several payloads have pauses and expectations of their own`() throws {
        let scenario = try read(
            """
            budget: 3s
            payloads:
              - payload: {aps: {content-available: 1}}
              - {payload: {aps: {alert: Hi}}, after: 2s, budget: 1s, expect: {outcome: passthrough}}
            expect: {hits: {/a.jpg: 1}}
            """)
        #expect(scenario.steps.map(\.pause) == [.zero, .seconds(2)])
        #expect(scenario.steps.map { $0.envelope["budget"] } == [.string("3s"), .string("1s")])
        #expect(scenario.steps[1].expectation?.outcome?.value == .passthrough)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var text: String
        var says: String
        var testDescription: String { says }
    }

    /// Each row has one mistake. Its message has the line, the column and the remedy.
    static let mistakes = [
        Mistake(
            text: "\(payload)\nexpct: {outcome: rich}",
            says: #"2:1 "expct" is not a key of a scenario; did you mean expect?"#),
        Mistake(
            text: "\(payload)\nexpect: {outcme: rich}",
            says: #"2:10 "outcme" is not a key of expect; did you mean outcome?"#),
        Mistake(text: "\(payload)\nexpect: {outcome: ritch}", says: #"2:19 outcome is "ritch": did you mean rich?"#),
        Mistake(
            text: "\(payload)\nexpect: {reason: slow}",
            says: #"2:18 reason is "slow": it must be one of: none, budget-exceeded"#),
        Mistake(text: "\(payload)\nexpect: {outcome: [rich]}", says: "2:19 outcome is a list: it must be one of"),
        Mistake(
            text: "\(payload)\nexpect: rich",
            says: #"2:9 expect is "rich": it must be a mapping, such as {outcome: rich}"#),
        Mistake(text: "\(payload)\nexpect: {within: soon}", says: #"2:18 within is "soon": it must be a time at most"#),
        Mistake(
            text: "\(payload)\nexpect: {attachments: many}", says: #"2:23 attachments is "many": it must be a number"#),
        Mistake(
            text: "\(payload)\nexpect: {attachments: [{tpe: png}]}",
            says: #"2:25 "tpe" is not a key of an attachment; did you mean type?"#),
        Mistake(
            text: "\(payload)\nexpect: {attachments: [{size: big}]}",
            says: #"2:31 size is "big": it must be a size, such as <= 300kB"#),
        Mistake(text: "\(payload)\nexpect: {hits: {/a: x}}", says: #"2:21 /a is "x": it must be a number"#),
        Mistake(text: "\(payload)\nexpect: {hits: 3}", says: #"2:16 hits is "3": write a mapping"#),
        Mistake(
            text: "\(payload)\nexpect: {verdicts: {media-1: bad}}", says: #"2:30 reason is "bad": it must be one of"#),
        Mistake(
            text: "\(payload)\nexpect: {verdicts: {media-1: {unError: 7}}}",
            says: #"2:40 unError is "7": it must be none, 100, 101, 102 or 105"#),
        Mistake(text: "\(payload)\nexpect: {memory: lots}", says: #"2:18 memory is "lots": it must be a size at most"#),
        Mistake(text: "expect: {outcome: rich}", says: "1:1 a scenario needs payload: a file"),
        Mistake(text: "payload: missing.json\nexpect: {outcome: rich}", says: #"1:10 "missing.json" cannot be read"#),
        Mistake(
            text: "payload: [1]\nexpect: {outcome: rich}",
            says: "1:10 payload is a list: write a file, or the payload itself"),
        Mistake(text: payload, says: "1:1 nothing is expected: write expect"),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: {stal: {after: 1}}}\nexpect: {outcome: rich}",
            says: #"2:19 "stal" is no fault: did you mean stall?"#),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: {stall: {aftr: 1}}}\nexpect: {outcome: rich}",
            says: "2:26 /stall/ does not take `aftr`; write stall/headers or stall/after/1000"),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: {delay: 2}}\nexpect: {outcome: rich}",
            says: "2:26 /delay/ does not take `2`; write 500ms"),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: slow}\nexpect: {outcome: rich}",
            says: "2:18 /slow/ lacks its argument; write slow/headers/2s"),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: []}\nexpect: {outcome: rich}",
            says: "2:18 the list is empty: write an answer for each request"),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: [ok, [ok]]}\nexpect: {outcome: rich}",
            says: "2:23 the faults are a list: write a mapping"),
        Mistake(
            text: "\(payload)\nconfiguration: {fetch.redirect: 1}\nexpect: {outcome: rich}",
            says: "2:17 fetch.redirect is not a key of the pipeline's configuration: did you mean fetch.redirects?"),
        Mistake(
            text: "\(payload)\nconfiguration: {fetch.redirects: 99}\nexpect: {outcome: rich}",
            says: "2:34 fetch.redirects: \"99\" is not a whole number from 0 to 20"),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: 404}\nexpect: {outcome: rich}",
            says: #"2:18 "404" is no fault: did you mean {status: 404}?"#),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: 5s}\nexpect: {outcome: rich}",
            says: #"2:18 "5s" is no fault: did you mean {delay: 5s}?"#),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: big.gif}\nexpect: {outcome: rich}",
            says: #"2:18 "big.gif" is no fault: did you mean {file: big.gif}?"#),
        Mistake(
            text: "\(payload)\norigin: {a.jpg: ok}\nexpect: {outcome: rich}",
            says: "2:10 the key must be a path, such as /photo.jpg"),
        Mistake(
            text: "\(payload)\norigin: [ok]\nexpect: {outcome: rich}", says: "2:9 origin is a list: write a mapping"),
        Mistake(
            text: "\(payload)\nnetwork: 4g\nexpect: {outcome: rich}", says: #"2:10 network is "4g": did you mean 3g?"#),
        Mistake(
            text: "\(payload)\nnetwork: {down: fast}\nexpect: {outcome: rich}",
            says: #"2:17 down is "fast": it must be a rate"#),
        Mistake(
            text: "\(payload)\nnetwork: {latncy: 2s}\nexpect: {outcome: rich}",
            says: #"2:11 "latncy" is not a key of network; did you mean latency?"#),
        Mistake(
            text: "\(payload)\nnetwork: {outage: {length: 3s, every: 2s}}\nexpect: {outcome: rich}",
            says: "2:39 every must be longer than length"),
        Mistake(
            text: "\(payload)\nnetwork: {outage: {length: 3s}}\nexpect: {outcome: rich}",
            says: "2:19 outage needs length and every, such as {length: 3s, every: 20s}"),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: /delay/2s/photo.jpg}\nexpect: {outcome: rich}",
            says: #"2:18 "photo.jpg" is no fault: write {file: PATH}"#),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: {file: gone.jpg}}\nexpect: {outcome: rich}",
            says: #"2:25 "gone.jpg" cannot be read: paths are relative to the scenario's file"#),
        Mistake(
            text: "\(payload)\norigin: {/a.jpg: {changed: {2: {to: gone.jpg}}}}\nexpect: {outcome: rich}",
            says: #"2:18 "gone.jpg" cannot be read"#),
        Mistake(
            text: "\(payload)\nhosts: {a.example: {dns: gone}}\nexpect: {outcome: rich}",
            says: #"2:26 dns is "gone": it must be one of: nxdomain"#),
        Mistake(
            text: "\(payload)\nhosts: {a.example: {conect: refused}}\nexpect: {outcome: rich}",
            says: #"2:21 "conect" is not a key of a host; did you mean connect?"#),
        Mistake(text: "\(payload)\nbudget: soon\nexpect: {outcome: rich}", says: "2:9 budget: "),
        Mistake(text: "\(payload)\nprofile: pager\nexpect: {outcome: rich}", says: "2:10 profile: "),
        Mistake(
            text: "\(payload)\npermissions: {wifi: true}\nexpect: {outcome: rich}",
            says: "2:21 permissions.wifi: is not a permission"),
        Mistake(
            text: "\(payload)\nenvelope: {priority: 3}\nexpect: {outcome: rich}", says: "2:22 priority: 3 is not one of"
        ),
        Mistake(
            text: "\(payload)\nnow: today\nexpect: {outcome: rich}", says: #"2:6 now is "today": it must be a time"#),
        Mistake(
            text: "\(payload)\nreal: yes\nexpect: {outcome: rich}",
            says: #"2:7 real is "yes": it must be true or false"#),
        Mistake(
            text: "\(payload)\nseed: x\nexpect: {outcome: rich}", says: #"2:7 seed is "x": it must be a whole number"#),
        Mistake(text: "\(payload)\nname: [a]\nexpect: {outcome: rich}", says: "2:7 name is a list: it must be a text"),
        Mistake(
            text: "\(payload)\nlocale: \"{{lang}}\"\nexpect: {outcome: rich}",
            says: "2:9 {{lang}} has no value: pass --variables lang=VALUE"),
        Mistake(text: "\(payload)\nexpect: {outcome: rich", says: "it is not YAML: did not find expected ','"),
        Mistake(text: "\(payload)\n\texpect: {outcome: rich}", says: "the line is indented with a tab: use spaces"),
        Mistake(text: "a: &x 1\nb: *x", says: "1:1 & and * begin an anchor or alias"),
        Mistake(text: "\(payload)\nnse: {memry: 24MB}\nexpect: {outcome: rich}", says: "did you mean memory?"),
        Mistake(
            text: "\(payload)\nnse: {memory: 25MB}\nexpect: {outcome: rich}", says: "it must be 12MB, 16MB or 24MB"),
        Mistake(
            text: "\(payload)\nnse: {os: 17}\nexpect: {outcome: rich}",
            says: #"2:11 os is "17": it must be a system with its version, such as iOS 17 or Android 14"#),
        Mistake(
            text: "\(payload)\nnse: {os: Android 14, memory: 12MB}\nexpect: {outcome: rich}",
            says: "2:31 memory has no effect with Android 14: remove it, or write os: iOS 17"),
        Mistake(
            text: "\(payload)\nnse: {secondCall: {push: same}}\nexpect: {outcome: rich}",
            says: "2:19 secondCall needs after: the time from the first call, such as {after: 500ms}"),
        Mistake(
            text: "\(payload)\nexpect: {phone: {alone: picture}}", says: "2:25 alone is \"picture\": it must be one of"),
        Mistake(text: "", says: "1:1 the file is empty"),
        Mistake(text: "- a", says: "1:1 a scenario is a list: it must be a mapping, such as payload: push.json"),
        Mistake(text: "payloads: []\nexpect: {outcome: rich}", says: "1:11 payloads is a list: write a list"),
        Mistake(
            text: "payloads: [{payload: {a: 1}, aftr: 2s}]\nexpect: {outcome: rich}",
            says: #"1:30 "aftr" is not a key of a payload; did you mean after?"#),
    ]

    @Test(arguments: mistakes) func `a mistake is reported with its line, column and remedy`(_ mistake: Mistake) {
        let found = problems(mistake.text)
        #expect(found.contains { $0.contains(mistake.says) }, "\(found)")
    }

    @Test func `all mistakes of a file are reported in the order of their places`() {
        let found = problems("nme: a\n\(Self.payload)\nexpect: {outcome: ritch, body: [b]}")
        #expect(found.map { String($0.prefix(4)) } == ["1:1 ", "3:19", "3:32"])
    }

    @Test(arguments: [
        ("3", [3.0], [2.0, 4.0]), (">= 2", [2, 9], [1]), ("<= 2", [0, 2], [3]), ("1..3", [1, 3], [0, 4]),
    ])
    func `a measure contains the numbers of its range`(_ text: String, _ inside: [Double], _ outside: [Double]) throws {
        let measure = try #require(Measure(text, unit: MeasureText.count))
        #expect(inside.allSatisfy { measure.contains($0) } && !outside.contains { measure.contains($0) })
    }

    @Test(arguments: ["", "x", "3..1", ">=", "2 s"]) func `a malformed measure is refused`(_ text: String) {
        #expect(Measure(text, unit: MeasureText.count) == nil)
    }

    @Test func `sizes and rates have decimal units`() {
        #expect(MeasureText.bytes("300kB") == 300_000 && MeasureText.bytes("1.5MB") == 1_500_000)
        #expect(MeasureText.rate("1.6Mbit/s") == 200_000 && MeasureText.rate("fast") == nil)
    }
}
