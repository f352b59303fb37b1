package io.margay.app.site;

import io.margay.gateway.rules.ErrorPage;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.DelegatingExchange;
import io.margay.server.exchange.DialingExchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// An exchange that has ended in an error, as the page sees it that takes its place: a request by
/// GET, with content that nobody has read yet, whose response has the error's status unless the
/// page says another. What a server behind this one answers has its own, as in httpd. Owned as the
/// client's exchange is.
final class ErrorExchange extends DelegatingExchange {
    /// What a client without a page is told, too.
    private static final String CHALLENGE = "WWW-Authenticate";

    private final RequestHead head;
    private final List<String> challenges;
    private final CanonicalPath path;
    private final int error;

    /// Whether there is content, which nobody has read.
    private final boolean content;

    /// As [ErrorPage.Content.Asked#status].
    private final int sent;

    /// @param target path and query, encoded
    /// @param sent as [ErrorPage.Content.Asked#status]
    ErrorExchange(DialingExchange real, int error, String target, int sent) {
        super(real);
        this.sent = sent;
        this.error = error;
        int mark = target.indexOf('?');
        String raw = mark < 0 ? target : target.substring(0, mark);
        RequestHead asked = real.request();
        content = !real.inputEnded() && real.relay() == null && mayBeRead(asked, error);
        Fields.Builder kept = new Fields.Builder();
        for (int i = 0; i < asked.fields().size(); i++) {
            String name = asked.fields().name(i);
            if (!isConditional(name) && (content || !isOfContent(name))) {
                kept.add(name, asked.fields().value(i));
            }
        }
        if (isOfFiles(error) && asked.contentLength() != RequestHead.NO_BODY) {
            kept.add("Content-Length", "0"); // what httpd's files have read of it is gone
        }
        head =
                new RequestHead(
                        "GET",
                        new RequestTarget(
                                RequestTarget.Form.ORIGIN,
                                target,
                                raw,
                                mark < 0 ? null : target.substring(mark + 1),
                                asked.target().scheme(),
                                asked.target().authority()),
                        asked.version(),
                        kept.build(),
                        content ? asked.contentLength() : RequestHead.NO_BODY,
                        false,
                        asked.keepAlive());
        path = CanonicalPath.of(raw);
        List<String> asks = new ArrayList<>(real.fields().all(CHALLENGE));
        real.fields().clear();
        challenges = List.copyOf(asks);
        super.status(of(sent == ErrorPage.Content.Asked.OF_SERVERS ? error : 200));
    }

    /// A client that waits for `100 Continue` has been told of an error in its place, and content
    /// that is malformed, late or too large is given to nobody.
    private static boolean mayBeRead(RequestHead asked, int error) {
        return !asked.expectContinue()
                && switch (error) {
                    case 400, 408, 411, 413 -> false;
                    default -> !isOfFiles(error);
                };
    }

    /// Whether it is what those who send files answer, which drop the content first.
    private static boolean isOfFiles(int error) {
        return error == 404 || error == 405;
    }

    private static boolean isOfContent(String name) {
        return name.equalsIgnoreCase("content-length")
                || name.equalsIgnoreCase("transfer-encoding");
    }

    private static boolean isConditional(String name) {
        return name.equalsIgnoreCase("expect")
                || name.regionMatches(true, 0, "if-", 0, 3)
                || name.equalsIgnoreCase("range");
    }

    @Override
    public void status(int status) {
        if (!real.fields().contains(CHALLENGE)) {
            challenges.forEach(one -> real.fields().add(CHALLENGE, one));
        }
        super.status(of(status));
    }

    private int of(int status) {
        return switch (sent) {
            case ErrorPage.Content.Asked.OF_SERVERS -> status == 200 ? error : status;
            case ErrorPage.Content.Asked.OF_PAGE -> status;
            default -> sent;
        };
    }

    @Override
    public RequestHead request() {
        return head;
    }

    @Override
    public CanonicalPath path() {
        return path;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return content ? super.read(target, offset, length) : -1;
    }

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        return content ? super.poll(target, offset, length) : -1;
    }

    @Override
    public boolean inputEnded() {
        return !content || super.inputEnded();
    }
}
