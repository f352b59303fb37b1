package io.margay.app.agreement.member;

import io.margay.app.agreement.member.RecordingMember.Received;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;

/// Asks both servers the same, and compares what the browser and the member received. Confined to
/// one thread.
final class Asking {
    /// Fields of responses that are each server's own: when it is, what it is, how it frames a
    /// message, and by what it tells one state of a file from another.
    private static final List<String> OWN =
            List.of(
                    "date",
                    "server",
                    "connection",
                    "keep-alive",
                    "transfer-encoding",
                    "content-length",
                    "accept-ranges");

    private static final List<String> OWN_OF_FILES = List.of("etag", "last-modified");

    /// Of an own page for an error or a redirection nothing is compared that describes its content.
    private static final List<String> OF_CONTENT =
            List.of("content", "field content-type", "field content-language", "field vary");

    private final Fronts fronts;
    private final RecordingMember member;

    Asking(Fronts fronts, RecordingMember member) {
        this.fronts = fronts;
        this.member = member;
    }

    /// What both have of one probe.
    record Both(
            Seen theirs, List<Received> theirsOfMember, Seen ours, List<Received> oursOfMember) {
        /// Where another status is answered, or another member is asked, nothing else is told.
        List<Difference> differences() {
            List<String> theirTargets = shown(theirsOfMember);
            List<String> ourTargets = shown(oursOfMember);
            if (!theirTargets.equals(ourTargets)) {
                String statuses = theirs.one("status") + " " + ours.one("status");
                return List.of(
                        new Difference("member", "asked " + statuses, theirTargets, ourTargets));
            }
            if (!theirs.all("status").equals(ours.all("status"))) {
                return List.of(
                        new Difference(
                                "response", "status", theirs.all("status"), ours.all("status")));
            }
            List<Difference> found = new ArrayList<>(theirs.differences("response", ours));
            for (int i = 0; i < theirsOfMember.size(); i++) {
                Received a = theirsOfMember.get(i);
                Received b = oursOfMember.get(i);
                found.addAll(a.seen().differences(a.protocol(), b.seen()));
            }
            return found;
        }

        private static List<String> shown(List<Received> all) {
            return all.stream().map(Received::protocol).toList();
        }
    }

    Both ask(MemberCase made, MemberProbe probe) throws IOException {
        String host = made.alone() ? "main.example" : made.host();
        member.answers(reply(probe.reply(), host));
        List<Received> before = member.taken();
        if (!before.isEmpty()) {
            throw new IllegalStateException("late: " + before);
        }
        int theirPort = made.tls() ? fronts.httpdTlsPort() : fronts.httpdPort();
        int ourPort = made.tls() ? fronts.tlsPort() : fronts.port();
        SSLContext tls = made.tls() ? member.certificate().client() : null;
        MemberClient.Answer theirs = MemberClient.send(probe, host, theirPort, tls);
        List<Received> theirsOfMember = member.taken();
        MemberClient.Answer ours = MemberClient.send(probe, host, ourPort, tls);
        List<Received> oursOfMember = member.taken();
        return new Both(
                response(theirs.seen(), theirPort, !theirsOfMember.isEmpty()),
                received(theirsOfMember, theirPort, theirs.clientPort()),
                response(ours.seen(), ourPort, !oursOfMember.isEmpty()),
                received(oursOfMember, ourPort, ours.clientPort()));
    }

    private MemberReply reply(MemberReply reply, String host) {
        List<String> fields =
                reply.fields().stream()
                        .map(field -> member.named(field).replace("@HOST@", host))
                        .toList();
        return new MemberReply(reply.status(), fields, reply.content(), reply.chunked());
    }

    private static Seen response(Seen answer, int port, boolean ofMember) {
        Seen seen = answer.with(value -> unpacked(value).replace(":" + port, ":PORT"));
        OWN.forEach(name -> seen.remove("field " + name));
        String content = seen.one("content");
        boolean ofFile = content.startsWith("file:");
        int status = seen.one("status").equals("none") ? 0 : Integer.parseInt(seen.one("status"));
        if (!ofMember || ofFile) {
            OWN_OF_FILES.forEach(name -> seen.remove("field " + name));
        }
        boolean ofAnybody = ofFile || content.startsWith("mem");
        if (!seen.all("field vary").isEmpty()) {
            TreeSet<String> names = new TreeSet<>();
            for (String name : String.join(",", seen.all("field vary")).split(",")) {
                names.add(name.strip());
            }
            seen.remove("field vary");
            seen.add("field vary", String.join(", ", names));
        }
        if (status >= 300 && !ofAnybody && !content.startsWith("gone")) {
            OF_CONTENT.forEach(seen::remove);
            seen.add("content", "own page");
            OWN_OF_FILES.forEach(name -> seen.remove("field " + name));
        }
        return seen;
    }

    /// What was compressed by gzip, as it was before.
    private static String unpacked(String value) {
        if (!value.startsWith("\u001f\u008b")) {
            return value;
        }
        byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return value;
        }
    }

    private List<Received> received(List<Received> all, int port, int clientPort) {
        List<Received> changed = new ArrayList<>();
        for (Received one : all) {
            Seen seen =
                    one.seen()
                            .with(value ->
                                    value.equals(String.valueOf(port))
                                            ? "PORT"
                                            : value.equals(String.valueOf(clientPort))
                                                    ? "CLIENT"
                                                    : value.replace(":" + port, ":PORT"));
            own(one.protocol().toLowerCase(Locale.ROOT), seen);
            changed.add(new Received(one.protocol(), seen));
        }
        return changed;
    }

    /// Takes away what each server says of itself.
    private static void own(String protocol, Seen seen) {
        if (protocol.equals("fcgi")) {
            List.of("SERVER_SOFTWARE", "SERVER_SIGNATURE", "PATH", "HTTP_X_REQUEST_ID")
                    .forEach(name -> seen.remove("param " + name));
            seen.mask("UNIQUE_ID");
        } else {
            seen.remove("field x-request-id");
        }
        if (protocol.equals("ajp")) {
            seen.remove("ssl_session");
        }
        if (protocol.equals("http")) {
            seen.remove("field via");
        }
    }
}
