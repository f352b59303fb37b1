package io.margay.shadow;

import io.margay.gateway.mirror.ShadowLimits;
import io.margay.protocol.http.Cookies;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Which session of the new server belongs to which of the old one. Of the old server's cookies
/// digests are known alone, by a key that ends with the process; of the new server's the values,
/// since it must get them. Thread-safe.
final class SessionMap {
    private static final int KEY_BYTES = 32;
    private static final int DIGEST_BYTES = 16;
    private static final int LOAD_FACTOR_DIVISOR = 4;

    /// Names and values of the new server's cookies in one session; what is more is not kept.
    private static final int COOKIE_BYTES_MAX = 4_096;

    private static final Pattern CREDENTIAL =
            Pattern.compile("(?i)sess|auth|token|remember|login|jwt|[xc]srf");

    private final ShadowLimits limits;
    private final Mac mac;

    /// Names of cookies with which each server means something of its own; the rest goes on as it
    /// is. Those that have no other meaning are known before.
    private final Set<String> apart =
            new HashSet<>(
                    Set.of("JSESSIONID", "PHPSESSID", "ASP.NET_SessionId", "connect.sid", "sid"));

    private final Map<String, Session> sessions;

    /// Stands for what more than one session has got: it names none.
    private final Session shared = new Session();

    /// One client's session at both servers. Guarded by the map.
    static final class Session {
        private final Map<String, String> cookies = new LinkedHashMap<>();
        private boolean parted;
    }

    /// What a client has.
    ///
    /// @param session null = none yet
    /// @param known whether the new server has all that it needs to answer the same
    record Client(@Nullable Session session, boolean known) {}

    /// @param random of which the key is made
    SessionMap(ShadowLimits limits, RandomGenerator random) {
        this.limits = limits;
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        int most = limits.sessionsMax();
        sessions =
                new LinkedHashMap<>(most / LOAD_FACTOR_DIVISOR, 0.75f, true) {
                    private static final long serialVersionUID = 1;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
                        return size() > most;
                    }
                };
    }

    /// Whose a request is.
    synchronized Client client(Fields received) {
        Session session = null;
        boolean own = false;
        boolean agree = true;
        for (Cookies.Cookie cookie : Cookies.decode(received)) {
            if (isApart(cookie.name())) {
                own = true;
                Session found = sessions.get(digest(cookie.name(), cookie.value()));
                agree &= found != null && found != shared && (session == null || session == found);
                session = session == null && found != shared ? found : session;
            }
        }
        if (!agree) {
            return new Client(null, false);
        }
        return new Client(session, session == null ? !own : !session.parted);
    }

    /// The cookies that the new server gets.
    synchronized String cookies(Fields received, @Nullable Session session) {
        Map<String, String> sent = new LinkedHashMap<>();
        for (Cookies.Cookie cookie : Cookies.decode(received)) {
            if (!isApart(cookie.name())) {
                sent.put(cookie.name(), cookie.value());
            }
        }
        if (session != null) {
            sent.putAll(session.cookies);
        }
        StringBuilder field = new StringBuilder();
        sent.forEach((name, value) ->
                field.append(field.isEmpty() ? "" : "; ").append(name).append('=').append(value));
        return field.toString();
    }

    /// The values of a client's cookies with which each server means something of its own.
    ///
    /// @param sent what the new server gets, as [#cookies] says it
    synchronized OwnValues own(Fields received, String sent) {
        Set<String> old = new HashSet<>();
        for (Cookies.Cookie cookie : Cookies.decode(received)) {
            if (isApart(cookie.name())) {
                OwnValues.add(old, cookie.value());
            }
        }
        Set<String> fresh = new HashSet<>();
        for (String pair : sent.split("; ", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && isApart(pair.substring(0, equals))) {
                OwnValues.add(fresh, pair.substring(equals + 1));
            }
        }
        return new OwnValues(old, fresh);
    }

    /// Both servers have answered a request.
    ///
    /// @param before the session that the request had, if any
    /// @param alike whether by the same status; otherwise a session that the old one alone has
    ///   begun is the old one's, and what follows of that is no other difference
    synchronized void both(
            @Nullable Session before, FieldList old, FieldList fresh, boolean alike) {
        List<SetCookie> ofOld = SetCookie.of(old);
        List<SetCookie> ofFresh = SetCookie.of(fresh);
        if (ofOld.isEmpty() && ofFresh.isEmpty()) {
            return;
        }
        Map<String, String> values = new LinkedHashMap<>();
        ofOld.forEach(cookie -> values.put(cookie.name(), cookie.value()));
        Session session = before == null ? new Session() : before;
        for (SetCookie cookie : ofFresh) {
            if (!cookie.value().equals(values.get(cookie.name()))) {
                own(cookie.name());
            }
            keep(session, cookie);
        }
        Set<String> names = new HashSet<>();
        ofFresh.forEach(cookie -> names.add(cookie.name()));
        for (SetCookie cookie : ofOld) {
            if (!names.contains(cookie.name())) {
                own(cookie.name());
                session.parted |= !alike && !cookie.goes();
            }
            know(cookie, session);
        }
    }

    /// The old server alone has answered a request: what it knows of the client the new one does
    /// not, in whichever of its sessions.
    synchronized void oldAlone(Fields received, FieldList answered) {
        Session session = client(received).session;
        for (Cookies.Cookie cookie : Cookies.decode(received)) {
            Session named =
                    isApart(cookie.name())
                            ? sessions.get(digest(cookie.name(), cookie.value()))
                            : null;
            if (named != null && named != shared) {
                named.parted = true;
            }
        }
        if (session == null) {
            session = new Session();
            session.parted = true;
        }
        for (SetCookie cookie : SetCookie.of(answered)) {
            own(cookie.name());
            know(cookie, session);
        }
    }

    /// As many names as there are cookies of a session.
    private void own(String name) {
        if (apart.size() < 2 * limits.cookiesMax()) {
            apart.add(name);
        }
    }

    /// When there are too many names, nothing of the old server goes on.
    private boolean isApart(String name) {
        return apart.contains(name)
                || apart.size() >= 2 * limits.cookiesMax()
                || CREDENTIAL.matcher(name).find();
    }

    private static int bytes(Session session, String but) {
        int bytes = 0;
        for (Map.Entry<String, String> one : session.cookies.entrySet()) {
            bytes += one.getKey().equals(but) ? 0 : one.getKey().length() + one.getValue().length();
        }
        return bytes;
    }

    private void keep(Session session, SetCookie cookie) {
        if (cookie.goes()) {
            session.cookies.remove(cookie.name());
        } else if (bytes(session, cookie.name()) + cookie.name().length() + cookie.value().length()
                        <= COOKIE_BYTES_MAX
                && (session.cookies.size() < limits.cookiesMax()
                        || session.cookies.containsKey(cookie.name()))) {
            session.cookies.put(cookie.name(), cookie.value());
        }
    }

    private void know(SetCookie cookie, Session session) {
        if (!cookie.goes() && isApart(cookie.name())) {
            String key = digest(cookie.name(), cookie.value());
            Session known = sessions.get(key);
            sessions.put(key, known == null || known == session ? session : shared);
        }
    }

    private String digest(String name, String value) {
        byte[] all = mac.doFinal((name + "=" + value).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(all, 0, DIGEST_BYTES).toLowerCase(Locale.ROOT);
    }
}
