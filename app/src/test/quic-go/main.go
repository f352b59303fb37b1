// Asks a server over HTTP/3 by quic-go, and says of each case what became of it.
//
//	quic-go URL CA
//
// URL has /small.txt, /large.bin, /app/length and /member/page, as Http3Soak serves them.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

const patience = 30 * time.Second

var url string
var roots *x509.CertPool

// A client with connections of its own.
type client struct {
	http.Client
	transport *http3.Transport
	conn      *quic.Conn
}

func dial(versions ...quic.Version) *client {
	return dialWith(nil, versions...)
}

func dialWith(cache tls.ClientSessionCache, versions ...quic.Version) *client {
	made := &client{}
	made.transport = &http3.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, ClientSessionCache: cache},
		QUICConfig:      &quic.Config{Versions: versions, MaxIdleTimeout: patience},
		Dial: func(ctx context.Context, address string, tlsConfig *tls.Config, config *quic.Config) (*quic.Conn, error) {
			// With connection ids of its own, without which quic-go does not move.
			to, err := net.ResolveUDPAddr("udp4", address)
			if err != nil {
				return nil, err
			}
			socket, err := net.ListenUDP("udp4", nil)
			if err != nil {
				return nil, err
			}
			conn, err := (&quic.Transport{Conn: socket}).DialEarly(ctx, to, tlsConfig, config)
			made.conn = conn
			return conn, err
		},
	}
	made.Transport = made.transport
	made.Timeout = patience
	return made
}

func (c *client) get(path string) ([]byte, error) {
	return c.do("GET", path, nil, nil)
}

func (c *client) do(method, path string, content []byte, fields http.Header) ([]byte, error) {
	request, err := http.NewRequest(method, url+path, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	for name, values := range fields {
		request.Header[name] = values
	}
	response, err := c.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.ProtoMajor != 3 {
		return nil, fmt.Errorf("it came by %s", response.Proto)
	}
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != 200 {
		err = fmt.Errorf("status %d", response.StatusCode)
	}
	return body, err
}

func (c *client) expect(path, text string) error {
	body, err := c.get(path)
	if err == nil && !strings.Contains(string(body), text) {
		err = fmt.Errorf("%q came", body)
	}
	return err
}

func small(c *client) error {
	return c.expect("/small.txt", "a small file")
}

// Has all of them done at a time on one connection.
func together(count int, step func() error) error {
	all := make([]error, count)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i] = step() })
	}
	group.Wait()
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func upload(c *client) error {
	content, err := c.get("/large.bin")
	if err != nil {
		return err
	}
	body, err := c.do("POST", "/app/length", content, nil)
	wanted := fmt.Sprintf("%d %d", len(content), crc32.ChecksumIEEE(content))
	if err == nil && !strings.HasSuffix(strings.TrimSpace(string(body)), wanted) {
		err = fmt.Errorf("%q came for %s", body, wanted)
	}
	return err
}

// Leaves while a response is coming, and asks again.
func leave(c *client) error {
	for range 20 {
		response, err := c.Client.Get(url + "/large.bin")
		if err != nil {
			return err
		}
		_, err = io.ReadFull(response.Body, make([]byte, 10_000))
		response.Body.Close()
		if err != nil {
			return err
		}
	}
	return small(c)
}

// Goes on from another port.
func move(c *client) error {
	if err := small(c); err != nil {
		return err
	}
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	path, err := c.conn.AddPath(&quic.Transport{Conn: socket})
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	if err = path.Probe(ctx); err != nil {
		return err
	}
	if err = path.Switch(); err != nil {
		return err
	}
	for range 10 {
		if _, err = c.get("/large.bin"); err != nil {
			return err
		}
	}
	return nil
}

// Comes again with a ticket and a token; early data are not taken.
func resume(*client) error {
	cache := tls.NewLRUClientSessionCache(10)
	first := dialWith(cache)
	if err := small(first); err != nil {
		return err
	}
	time.Sleep(200 * time.Millisecond) // for the ticket
	first.transport.Close()
	again := dialWith(cache)
	defer again.transport.Close()
	if _, err := again.do(http3.MethodGet0RTT, "/small.txt", nil, nil); err != nil {
		return err
	}
	state := again.conn.ConnectionState()
	if !state.TLS.DidResume || state.Used0RTT {
		return fmt.Errorf("resumed %t, early data %t", state.TLS.DidResume, state.Used0RTT)
	}
	return nil
}

func status(c *client, bytes int, wanted string) error {
	_, err := c.do("GET", "/small.txt", nil, http.Header{"X-Large": {strings.Repeat("x", bytes)}})
	if err == nil && wanted == "" || err != nil && wanted != "" && strings.Contains(err.Error(), wanted) {
		return small(c)
	}
	return fmt.Errorf("%v", err)
}

func main() {
	url = os.Args[1]
	pem, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	roots = x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	failed := 0
	check := func(name string, step func(*client) error, versions ...quic.Version) {
		c := dial(versions...)
		defer c.transport.Close()
		if err := step(c); err != nil {
			failed++
			fmt.Printf("%s: failed: %v\n", name, err)
		} else {
			fmt.Printf("%s: passed\n", name)
		}
	}
	check("handshake", small)
	check("version 2", small, quic.Version2)
	check("servlet, upload of 1.5 MB", upload)
	check("member", func(c *client) error { return c.expect("/member/page", "the member") })
	check("1000 requests in a row", func(c *client) error {
		for range 1000 {
			if err := small(c); err != nil {
				return err
			}
		}
		return nil
	})
	check("100 requests at a time", func(c *client) error {
		return together(100, func() error { return small(c) })
	})
	check("50 downloads of 1.5 MB at a time", func(c *client) error {
		return together(50, func() error {
			body, err := c.get("/large.bin")
			if err == nil && len(body) != 1_500_000 {
				err = fmt.Errorf("%d octets", len(body))
			}
			return err
		})
	})
	check("20 uploads at a time", func(c *client) error {
		return together(20, func() error { return upload(c) })
	})
	check("downloads that are left", leave)
	check("another path", move)
	check("resumption without early data", resume)
	check("head of 10 KB", func(c *client) error { return status(c, 10_000, "") })
	check("head of 20 KB is refused", func(c *client) error { return status(c, 20_000, "431") })
	fmt.Printf("failed: %d\n", failed)
	if failed > 0 {
		os.Exit(1)
	}
}
