package io.margay.server.exchange;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.PathReading;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What those who answer an exchange tell each other of it. Owned as its exchange is.
public final class ExchangeNotes {
    private @Nullable Relay relay;
    private @Nullable ExchangeRules rules;
    private boolean own;
    private boolean headDone;
    private boolean timed;
    private boolean ofOneUser;
    private @Nullable SocketAddress client;
    private @Nullable Known told;
    private boolean ofFrontEnd;
    private @Nullable String requestId;
    private PathReading reading = PathReading.STRICT;
    private @Nullable String userMethod;
    private Set<String> userRoles = Set.of();
    private @Nullable TlsInfo clientTls;
    private @Nullable Kept kept;
    private @Nullable FieldList atHead;
    private Set<String> reserved = Set.of();
    private long contentBytesMax = -1;
    private @Nullable LogFacts logFacts;
    private @Nullable Way way;
    private boolean ofProgram;
    private @Nullable String usualType;

    /// What front ends have told, and what that leaves of the fields that were looked at last.
    private static final class Known {
        private final Told told;
        private @Nullable Fields received;
        private Fields left = Fields.EMPTY;

        private Known(Told told) {
            this.told = told;
        }

        private Fields fields(Fields of) {
            if (received != of) {
                received = of;
                left = told.in(of);
            }
            return left;
        }
    }

    /// What it is for, and what it was for before.
    private record Way(Answered now, List<Answered> before) {}

    /// What a request is for.
    ///
    /// @param file see [#file]
    /// @param path see [#answered]
    /// @param query as rules have left it, without its question mark; null = none
    public record Answered(@Nullable String file, @Nullable String path, @Nullable String query) {}

    /// What is left of what front ends have told of the client, when it has been found by that.
    ///
    /// @param field in which they tell
    /// @param rest what was told by those who are not believed; empty = nothing
    /// @param by who has told it: the other end of the connection
    /// @param listing field of the request that lists those who have told; null = none
    /// @param listed they; empty = nobody is listed
    public record Told(
            String field, String rest, SocketAddress by, @Nullable String listing, String listed) {
        /// Of a request whose fields are without it already.
        public static Told applied(SocketAddress by) {
            return new Told("", "", by, null, "");
        }

        private Fields in(Fields received) {
            if (rest.isEmpty() && listed.isEmpty()) {
                return received.without(Set.of(field));
            }
            Fields.Builder made = new Fields.Builder();
            String lists = listed.isEmpty() ? null : listing;
            for (int i = 0; i < received.size(); i++) {
                boolean old = lists != null && received.nameIs(i, lists);
                if (!received.nameIs(i, field) && !old) {
                    made.add(received.name(i), received.value(i));
                }
            }
            if (!rest.isEmpty()) {
                made.add(field, rest);
            }
            if (lists != null) {
                made.add(lists, listed);
            }
            return made.build();
        }
    }

    /// What the log of the host asks of the application; null = nothing.
    public @Nullable LogFacts logFacts() {
        return logFacts;
    }

    /// Has the application asked for the log.
    public void ask(Set<String> names) {
        logFacts = new LogFacts(names);
    }

    /// How much content whoever answers may read, because its length was not told; -1 = any.
    public long contentBytesMax() {
        return contentBytesMax;
    }

    /// Notes how much that is.
    public void contentBytesMax(long bytes) {
        contentBytesMax = bytes;
    }

    /// The path that answers it, where that is another than the client has asked for, or null.
    public @Nullable String answered() {
        return way == null ? null : way.now.path;
    }

    /// All of that with its query; null = it is for what the client has asked for.
    public @Nullable Answered now() {
        return way == null ? null : way.now;
    }

    /// What it was for before rules of folders, or an error, led it elsewhere, in this order.
    public List<Answered> before() {
        return way == null ? List.of() : way.before;
    }

    /// Notes what it is for.
    public void answered(Answered now) {
        answered(now, before());
    }

    /// The same, and what it was for before.
    public void answered(Answered now, List<Answered> earlier) {
        way = new Way(now, List.copyOf(earlier));
    }

    /// Whether a program of FastCGI has answered.
    public boolean isOfProgram() {
        return ofProgram;
    }

    /// Notes that one has.
    public void ofProgram() {
        ofProgram = true;
    }

    /// The type of an answer of another server that does not say one; null = it has none.
    public @Nullable String usualType() {
        return usualType;
    }

    /// Notes which that is.
    public void usualType(@Nullable String type) {
        usualType = type;
    }

    /// Who answered in place of this server, or null.
    public @Nullable Relay relay() {
        return relay;
    }

    /// Notes who is asked in place of this server.
    public void relay(Relay by) {
        relay = by;
    }

    /// What its host changes in it, or null.
    public @Nullable ExchangeRules rules() {
        return rules;
    }

    /// Notes what its host changes in it.
    public void rules(ExchangeRules ofHost) {
        rules = ofHost;
    }

    /// Where the client is, as a trusted front end has told; null when it is the other end of the
    /// connection.
    public @Nullable SocketAddress client() {
        return client;
    }

    /// Where the client is.
    ///
    /// @param remote the other end of the connection
    public SocketAddress clientOr(SocketAddress remote) {
        return client != null ? client : remote;
    }

    /// The other end of the connection.
    ///
    /// @param client where the client is
    public SocketAddress connected(SocketAddress client) {
        return told == null ? client : told.told.by;
    }

    /// Whether a front end that is trusted has sent it: one that has told where the client is, or
    /// that the listener believes.
    public boolean isTold() {
        return told != null || ofFrontEnd;
    }

    /// Notes that a front end has sent it whose fields the listener believes.
    public void frontEnd() {
        ofFrontEnd = true;
    }

    /// The fields of a request, without the addresses by which its client was found.
    public Fields fields(Fields of) {
        Known by = told;
        return by == null || by.told.field.isEmpty() ? of : by.fields(of);
    }

    /// Notes where the client is, and by what.
    public void client(SocketAddress address, Told by) {
        client = address;
        told = new Known(by);
    }

    /// How its path is read.
    public PathReading reading() {
        return reading;
    }

    /// Notes how its path is read, before anybody decides by it.
    public void reading(PathReading how) {
        reading = how;
    }

    /// What a trusted front end calls the request, or null.
    public @Nullable String requestId() {
        return requestId;
    }

    /// Notes what somebody who is believed calls the request; nothing that is no [RequestId].
    public void requestId(@Nullable String given) {
        if (RequestId.isValid(given)) {
            requestId = given;
        }
    }

    /// How its host has found out who the user is, as `Basic`; null when it has not.
    public @Nullable String userMethod() {
        return userMethod;
    }

    /// The roles that the user has by its host.
    public Set<String> userRoles() {
        return userRoles;
    }

    /// Notes that its host has found out who the user is.
    public void user(String method, Set<String> roles) {
        userMethod = method;
        userRoles = roles;
    }

    /// What a trusted front end says of TLS between the client and itself; null when it does not.
    public @Nullable TlsInfo clientTls() {
        return clientTls;
    }

    /// Notes what a trusted front end says of TLS between the client and itself.
    public void clientTls(TlsInfo told) {
        clientTls = told;
    }

    /// What one part of a host keeps of each request: its owner alone has the key. Immutable.
    ///
    /// @param <T> what is kept
    public static final class Key<T> {
        private final Class<T> type;

        /// Another key than all before.
        public Key(Class<T> type) {
            this.type = type;
        }
    }

    /// What may stand in for the answer to a request that is refused, if it has something for it.
    @FunctionalInterface
    public interface Standby {
        /// @param refusal answers the request if nothing is found for it after all
        /// @return whether the request goes on to where that is looked for
        boolean takes(Exchange exchange, Refusal refusal);
    }

    /// How a request is refused.
    @FunctionalInterface
    public interface Refusal {
        /// Answers.
        void answer(Exchange exchange) throws IOException;
    }

    /// By which a host notes what may stand in for an answer.
    public static final Key<Standby> STANDBY = new Key<>(Standby.class);

    /// Of which media types files are sent whole and as they are stored, since their content is
    /// changed on its way.
    @FunctionalInterface
    public interface Whole {
        boolean takes(@Nullable String type);
    }

    /// By which a stage notes that content is changed.
    public static final Key<Whole> WHOLE = new Key<>(Whole.class);

    /// Whether a file of a media type is sent whole and as it is stored.
    public boolean isWhole(@Nullable String type) {
        Whole whole = kept == null ? null : get(WHOLE);
        return whole != null && whole.takes(type);
    }

    /// Whether something stands in for the answer to a request that would be refused; then the
    /// request goes on.
    public boolean defers(Exchange exchange, Refusal refusal) {
        Standby standby = kept == null ? null : get(STANDBY);
        return standby != null && standby.takes(exchange, refusal);
    }

    private record Kept(Key<?> key, Object value, @Nullable Kept others) {}

    /// What is kept by a key, or null.
    public <T> @Nullable T get(Key<T> key) {
        for (Kept one = kept; one != null; one = one.others) {
            if (one.key.equals(key)) {
                return key.type.cast(one.value);
            }
        }
        return null;
    }

    /// Keeps something, in place of what was kept by the key.
    public <T> void put(Key<T> key, T value) {
        kept = new Kept(key, value, kept);
    }

    /// Adds a field to the response, whoever answers.
    public void addAtHead(String name, String value) {
        FieldList known = atHead;
        if (known == null) {
            known = new FieldList();
            atHead = known;
        }
        known.add(name, value);
    }

    /// Notes that the response says where the time went.
    public void timed() {
        timed = true;
    }

    /// Whether it does.
    public boolean isTimed() {
        return timed;
    }

    /// Notes what only this server may say in the request.
    ///
    /// @param names in lower case, with `-` for `_`; a star at the end stands for what follows
    public void reserve(Set<String> names) {
        reserved = names;
    }

    /// Whether only this server may say a field in the request.
    public boolean isReserved(String name) {
        return !reserved.isEmpty() && isAmong(name, reserved);
    }

    /// Whether the name of a field is among names as [#reserve] has them.
    public static boolean isAmong(String name, Set<String> names) {
        String canonical = name.toLowerCase(Locale.ROOT).replace('_', '-');
        if (names.contains(canonical)) {
            return true;
        }
        for (String each : names) {
            if (each.endsWith("*") && canonical.startsWith(each.substring(0, each.length() - 1))) {
                return true;
            }
        }
        return false;
    }

    /// Whether the answer is this server's own, such as an error or a redirection.
    public boolean isOwn() {
        return own;
    }

    /// Notes that a file of the host is the answer after all, in the place of this server's own.
    public void page() {
        own = false;
    }

    /// Whether the host's say on a request that goes to another server comes to an end.
    public boolean isDecided(Exchange exchange) {
        return rules == null || rules.isDecided(exchange);
    }

    /// Gives the host its say on a request that goes to another server.
    ///
    /// @return whether it has one
    public boolean request(Exchange exchange, FieldList fields) {
        if (rules == null) {
            return false;
        }
        rules.request(exchange, fields);
        return true;
    }

    /// Notes that the response is for one user: caches that several share do not keep it, unless it
    /// says itself what they may.
    public void ofOneUser() {
        ofOneUser = true;
    }

    /// Whether the response is for one user.
    public boolean isOfOneUser() {
        return ofOneUser;
    }

    /// Gives the host its say on the head of the response, once: what looks at the head as clients
    /// get it may do so before it is sent.
    ///
    /// @return false when that does not come to an end: the response must not be sent
    public boolean head(Exchange exchange) {
        if (headDone) {
            return true;
        }
        if (ofOneUser && !exchange.fields().contains("Cache-Control")) {
            exchange.fields().add("Cache-Control", "private");
        }
        FieldList further = atHead;
        if (further != null) {
            for (int i = 0; i < further.size(); i++) {
                exchange.fields().add(further.name(i), further.value(i));
            }
        }
        try {
            if (rules != null) {
                rules.head(exchange, own);
            }
            headDone = true;
            return true;
        } catch (UndecidedException e) {
            return false;
        }
    }

    /// Applies what the host says of heads to one that is not sent, such as that of a stored
    /// response that was validated.
    ///
    /// @param exchange with the status and the fields in question
    /// @return false when that does not come to an end
    public boolean preview(Exchange exchange) {
        if (ofOneUser && !exchange.fields().contains("Cache-Control")) {
            exchange.fields().add("Cache-Control", "private");
        }
        try {
            if (rules != null) {
                rules.head(exchange, false);
            }
            return true;
        } catch (UndecidedException e) {
            return false;
        }
    }

    /// The same for the answer that is sent in the place of such a response.
    public void undecided(Exchange exchange) {
        own = true;
        if (rules != null) {
            rules.undecided(exchange);
        }
    }

    /// The value of a variable that the host's rules know; empty where they know none.
    public String variable(Exchange exchange, String name) {
        return rules == null ? "" : rules.variable(exchange, name);
    }

    /// Lets the host answer with an error.
    ///
    /// @return whether it has done so; where it is not decided which page is shown, it has not
    public boolean error(Exchange exchange, int status) throws IOException {
        own = true;
        try {
            return rules != null && status >= 400 && rules.error(exchange, status);
        } catch (UndecidedException e) {
            return false;
        }
    }
}
