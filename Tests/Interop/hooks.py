"""What schemathesis does not know about the media types of the API."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_context: schemathesis.SerializationContext, value: object) -> bytes:
    """Returns a generated body as it is: the description has no schema of a line."""
    return value.encode(errors="surrogatepass") if isinstance(value, str) else repr(value).encode()
