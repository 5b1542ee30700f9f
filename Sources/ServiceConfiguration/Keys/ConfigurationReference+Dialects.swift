extension ConfigurationReference {
    static let dialects = """
        ## Dialects of your own

        An entry of `dialects` describes the payloads of one more sender. For example, this entry:

        ```yaml
        \(dialectsExample)
        ```

        reads three attachments from this payload. The first one has its type and its options in the same object:

        ```json
        \(payloadExample)
        ```

        Your dialects are tried in their order, before the standard ones. A request can also name one of them.

        | key | value |
        |---|---|
        | `name` | the name in results: \(ValueCodec.dialectName.expected). The name of a standard dialect is not accepted |
        | `recognisedBy` | a key path that only these payloads have, or `PATH == VALUE` |
        | `media` | a list of key paths to URLs. All of them are read, in their order, and each place is read once |
        | `type` | the type of a media item: a MIME type, `image`, `video`, `audio`, or the extension of a file name |
        | `title`, `subtitle`, `body` | the text. A line comes from `aps.alert` if it has no path, or if the payload has nothing there |
        | `fallback` | `title`, `subtitle` and `body` of the fallback text |
        | `identifier` | the sender's own id of the message |
        | `link` | the URL that a tap opens |
        | `options` | `thumbnailHidden` (true or false) and `thumbnailTime` (seconds from the start of the video) of a media item |

        `name`, `recognisedBy` and `media` are required. Keys of a key path are separated by dots:

        * `[]` stands for every element of an array, and `[2]` for the third element. `[]` in a type or an option is the same
          element as `[]` in the media item.
        * A backslash before a dot, bracket, `=`, space or backslash makes the character a part of the key: `com\\.acme` is one
          key.
        * In a YAML list with brackets, put a path with brackets into single quotes: `['items[].url', hero]`.
        """

    /// A complete file with one dialect.
    package static let dialectsExample = #"""
        dialects:
          - name: acme
            recognisedBy: acme.kind == push
            media:
              - com\.acme.media[].url
              - hero
            type: com\.acme.media[].mime
            title: acme.title
            body: acme.text
            fallback:
              title: aps.alert.title
              body: aps.alert.body
            identifier: acme.id
            link: acme.link
            options:
              thumbnailHidden: com\.acme.media[].hidden
              thumbnailTime: com\.acme.media[].second
        """#

    /// A payload that the example reads.
    package static let payloadExample = """
        {
          "aps": {"alert": {"title": "Open the app", "body": "A new album is there."}, "mutable-content": 1},
          "acme": {"kind": "push", "id": "m-17", "title": "Summer", "text": "Three days at sea", "link": "acme://album/4"},
          "com.acme": {
            "media": [
              {"url": "https://media.example.com/1.mp4", "mime": "video/mp4", "hidden": false, "second": 2.5},
              {"url": "https://media.example.com/2.jpg"}
            ]
          },
          "hero": "https://media.example.com/hero.png"
        }
        """
}
