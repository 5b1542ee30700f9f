// A client of appgroupd for Go 1.19 and later: a submit, a submit with events, a batch, a cancel and a download.
//
// usage: go run appgroupd.go PICTURE_URL SLOW_URL
//
// PICTURE_URL is a picture that the daemon may fetch, and SLOW_URL a picture whose origin takes long. APPGROUPD_URL is
// the address of the daemon (http://127.0.0.1:8480), and APPGROUPD_TOKEN the token, if it needs one.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const retries = 5

// Result has the members of a result that this program uses. docs/use/result.md has all members.
type Result struct {
	Outcome string `json:"outcome"`
	Content struct {
		Attachments []Attachment `json:"attachments"`
	} `json:"content"`
}

type Attachment struct {
	MIMEType  string `json:"mimeType"`
	PublicURL string `json:"publicURL"`
	SHA256    string `json:"sha256"`
}

// Problem is an error response (RFC 9457).
type Problem struct {
	Type   string `json:"type"`
	Detail string `json:"detail"`
}

func (p *Problem) Error() string { return p.Type + ": " + p.Detail }

type Client struct {
	Base  string
	Token string
}

// Submit returns the result. The answer is never later than the budget.
func (c *Client) Submit(ctx context.Context, payload any, key string, budget time.Duration) (result Result, err error) {
	header := http.Header{
		"Idempotency-Key": {key}, "Request-Timeout": {strconv.FormatFloat(budget.Seconds(), 'f', -1, 64)},
	}
	err = c.callJSON(ctx, http.MethodPost, "/v1/notifications", header, payload, &result)
	return result, err
}

// SubmitAsync returns as soon as the request is durable.
func (c *Client) SubmitAsync(ctx context.Context, payload any, key string) error {
	header := http.Header{"Idempotency-Key": {key}, "Prefer": {"respond-async"}}
	return c.callJSON(ctx, http.MethodPost, "/v1/notifications", header, payload, nil)
}

// Events calls take with the name of each event of a request, up to its emission.
func (c *Client) Events(ctx context.Context, key string, take func(name string)) error {
	response, err := c.call(ctx, http.MethodGet, "/v1/notifications/"+key+"/events", nil, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if line := lines.Text(); strings.HasPrefix(line, "event: ") {
			take(strings.TrimPrefix(line, "event: "))
		}
	}
	return lines.Err()
}

// Result returns the result of a request. An unfinished request has no outcome.
func (c *Client) Result(ctx context.Context, key string) (result Result, err error) {
	err = c.callJSON(ctx, http.MethodGet, "/v1/notifications/"+key, nil, nil, &result)
	return result, err
}

// Batch calls take with each line of the response: the results as they are complete, and the summary last.
func (c *Client) Batch(ctx context.Context, lines []any, take func(line json.RawMessage) error) error {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	response, err := c.call(ctx, http.MethodPost, "/v1/notifications:batch", nil, body.Bytes())
	if err != nil {
		return err
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(response.Body)
	for {
		var line json.RawMessage
		if err := decoder.Decode(&line); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := take(line); err != nil {
			return err
		}
	}
}

func (c *Client) Cancel(ctx context.Context, key string) error {
	return c.callJSON(ctx, http.MethodDelete, "/v1/notifications/"+key, nil, nil, nil)
}

func (c *Client) callJSON(ctx context.Context, method, path string, header http.Header, value, result any) error {
	var body []byte
	if value != nil {
		var err error
		if body, err = json.Marshal(value); err != nil {
			return err
		}
	}
	response, err := c.call(ctx, method, path, header, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if result == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(result)
}

// call repeats a call that got 429 or 503, after the time in Retry-After. The key makes the repetition harmless.
func (c *Client) call(
	ctx context.Context, method, path string, header http.Header, body []byte,
) (*http.Response, error) {
	for attempt := 0; ; attempt++ {
		request, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		for name, values := range header {
			request.Header[name] = values
		}
		if c.Token != "" {
			request.Header.Set("Authorization", "Bearer "+c.Token)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		if response.StatusCode < 300 {
			return response, nil
		}
		problem := &Problem{Type: response.Status}
		err = json.NewDecoder(response.Body).Decode(problem)
		response.Body.Close()
		isBusy := response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable
		if err != nil || !isBusy || attempt == retries {
			return nil, problem
		}
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if err != nil {
			seconds = 1
		}
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

type object = map[string]any

func payload(picture string) object {
	return object{
		"aps": object{
			"alert": object{"title": "Summer", "body": "Three days at sea"}, "mutable-content": 1,
		},
		"image": picture,
	}
}

func newKey() string {
	var bytes [16]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes[:])
}

func run(ctx context.Context, client *Client, picture, slow string) error {
	result, err := client.Submit(ctx, payload(picture), newKey(), 10*time.Second)
	if err != nil {
		return err
	}
	if len(result.Content.Attachments) == 0 {
		return fmt.Errorf("the result is %s, and has no picture", result.Outcome)
	}
	attachment := result.Content.Attachments[0]
	fmt.Printf("submit: %s, %s\n", result.Outcome, attachment.MIMEType)

	key := newKey()
	if err := client.SubmitAsync(ctx, payload(picture), key); err != nil {
		return err
	}
	if err := client.Events(ctx, key, func(name string) { fmt.Println("event:", name) }); err != nil {
		return err
	}
	if result, err = client.Result(ctx, key); err != nil {
		return err
	}
	fmt.Println("async:", result.Outcome)

	lines := []any{object{"template": object{"payload": payload(picture)}}}
	for _, name := range []string{"anna", "ben", "clara"} {
		greeting := object{"aps": object{"alert": object{"body": "Hello " + name}}}
		lines = append(lines, object{"id": newKey(), "recipient": name, "payload": greeting})
	}
	results, isComplete := 0, false
	err = client.Batch(ctx, lines, func(line json.RawMessage) error {
		var part struct {
			Line    int `json:"line"`
			Summary struct {
				Complete bool `json:"complete"`
			} `json:"summary"`
		}
		if err := json.Unmarshal(line, &part); err != nil {
			return err
		}
		if part.Line > 0 {
			results++
		}
		isComplete = part.Summary.Complete
		return nil
	})
	if err != nil {
		return err
	}
	if !isComplete {
		return errors.New("the batch is not complete: send it again")
	}
	fmt.Printf("batch: %d results\n", results)

	key = newKey()
	if err := client.SubmitAsync(ctx, payload(slow), key); err != nil {
		return err
	}
	if err := client.Cancel(ctx, key); err != nil {
		return err
	}
	if result, err = client.Result(ctx, key); err != nil {
		return err
	}
	fmt.Println("cancel:", result.Outcome)

	// A phone downloads the rendition without a token.
	response, err := http.Get(attachment.PublicURL)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	digest := sha256.New()
	count, err := io.Copy(digest, response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK || hex.EncodeToString(digest.Sum(nil)) != attachment.SHA256 {
		return fmt.Errorf("the download got %s, or other bytes than the result says", response.Status)
	}
	fmt.Printf("download: %d bytes\n", count)
	return nil
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run appgroupd.go PICTURE_URL SLOW_URL")
		os.Exit(2)
	}
	base := os.Getenv("APPGROUPD_URL")
	if base == "" {
		base = "http://127.0.0.1:8480"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	client := &Client{Base: base, Token: os.Getenv("APPGROUPD_TOKEN")}
	if err := run(ctx, client, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "appgroupd.go:", err)
		os.Exit(1)
	}
}
