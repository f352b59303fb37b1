package io.margay.gateway.shield;

import io.margay.gateway.shield.SharedNonces.Added;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.signature.RequestSignature;
import io.margay.protocol.signature.RequestSignature.Found;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Which bots requests are from that sign them (Web Bot Auth): only sites that are configured are
/// asked for their keys, by a virtual thread, and no request waits for that. Guarded by itself; not
/// locked while keys are fetched or a signature is verified.
final class Passports {
    private static final System.Logger LOG = System.getLogger(Passports.class.getName());

    /// What `Accept-Signature` asks for.
    static final String ACCEPTED =
            "sig=(\"@authority\" \"signature-agent\");created;expires;keyid;nonce;tag=\""
                    + RequestSignature.WEB_BOT_AUTH
                    + "\"";

    /// Clocks of bots may be so far ahead.
    static final long SKEW_SECONDS = 60;

    /// A signature is good for no longer, whatever it says: so long its nonce is remembered.
    static final long LIFETIME_SECONDS_MAX = Duration.ofHours(1).toSeconds();

    /// What bots may say at most.
    private static final long EXPIRES_SECONDS_MAX = Duration.ofDays(1).toSeconds();

    private static final int NONCE_CHARS_MAX = 256;
    private static final int SECRET_BYTES = 32;

    /// Nonces of one bot that are remembered; beyond it its requests have to wait.
    static final int NONCES_MAX = 65_536;

    private static final int KEYS_MAX = 64;
    private static final long FRESH_NANOS = Duration.ofHours(1).toNanos();
    private static final long KEPT_NANOS = Duration.ofDays(1).toNanos();
    private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

    /// What stands before the octets of a key in its usual encoding.
    private static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private final Map<String, Site> sites = new HashMap<>();
    private final KeyDirectory directory;
    private final LongSupplier nanos;
    private final LongSupplier millis;

    /// What gateways of a group have seen; null = each remembers its own.
    private final @Nullable SharedNonces group;

    private final byte[] secret;
    private final int noncesMax;

    /// A site with what is known of it.
    private static final class Site {
        private final SignedBot bot;
        private Map<String, Valid> keys = Map.of();
        private final Map<Long, Long> nonces = new HashMap<>();
        private long sweptSecond;
        private @Nullable Long fetchedNanos;
        private @Nullable Long askedNanos;
        private boolean asks;

        /// Whether it was asked before, with or without success.
        private boolean hasAnswered;

        private Site(SignedBot bot) {
            this.bot = bot;
        }
    }

    private record Valid(PublicKey key, long notBefore, long notAfter) {}

    /// A key.
    ///
    /// @param isPending whether it is not known yet what keys there are
    private record Known(@Nullable Valid key, boolean isPending) {}

    /// What a request shows.
    sealed interface Look {
        /// Nothing, or a bot that is not known here.
        record Nothing() implements Look {}

        /// A bot whose keys are being fetched.
        record Pending() implements Look {}

        /// A bot that has signed it.
        record Good(SignedBot bot) implements Look {}

        /// A bot that has used as many nonces as are remembered, by itself or with others; or a
        /// nonce of which it is not known yet whether others have seen it.
        record Full(SignedBot bot) implements Look {}

        /// A signature that is none.
        ///
        /// @param why for the log
        record Bad(String why) implements Look {}
    }

    private static final Look NOTHING = new Look.Nothing();
    private static final Look USED = new Look.Bad("the nonce was used before");

    /// @param nanos as of `System.nanoTime`
    /// @param millis since 1970
    /// @param group null = there is none
    /// @param random for the secret of nonces' hashes, where there is no group
    /// @param noncesMax of one bot
    Passports(
            List<SignedBot> bots,
            KeyDirectory directory,
            LongSupplier nanos,
            LongSupplier millis,
            @Nullable SharedNonces group,
            RandomGenerator random,
            int noncesMax) {
        this.group = group;
        this.noncesMax = noncesMax;
        secret = group == null ? new byte[SECRET_BYTES] : group.secret();
        if (group == null) {
            random.nextBytes(secret);
        }
        for (SignedBot bot : bots) {
            if (sites.put(bot.agent(), new Site(bot)) != null) {
                throw new IllegalArgumentException("two bots have the agent " + bot.agent());
            }
        }
        this.directory = directory;
        this.nanos = nanos;
        this.millis = millis;
    }

    /// Whether there is any.
    boolean isEmpty() {
        return sites.isEmpty();
    }

    /// Looks at a request.
    ///
    /// @param scheme of it
    Look look(RequestHead request, String scheme) {
        Fields fields = request.fields();
        if (sites.isEmpty() || !fields.contains("Signature-Agent")) {
            return NOTHING;
        }
        List<String> agents = RequestSignature.agents(fields);
        Site site = agents.size() == 1 ? sites.get(agents.getFirst()) : null;
        if (site == null) {
            return agents.isEmpty() ? new Look.Bad("Signature-Agent is malformed") : NOTHING;
        }
        return switch (RequestSignature.of(request, scheme, RequestSignature.WEB_BOT_AUTH)) {
            case Found.None none -> new Look.Bad("signature: " + none.why());
            case Found.One(RequestSignature signature) ->
                    of(signature, site, String.valueOf(request.target().authority()));
        };
    }

    private Look of(RequestSignature signature, Site site, String authority) {
        String fault = fault(signature);
        if (fault != null) {
            return new Look.Bad(fault);
        }
        Known known = key(site, signature.keyId());
        Valid key = known.key;
        if (key == null) {
            return known.isPending ? new Look.Pending() : new Look.Bad("the key is not known");
        }
        long now = millis.getAsLong() / 1000;
        boolean holds =
                (key.notBefore == 0 || key.notBefore <= now + SKEW_SECONDS)
                        && (key.notAfter == 0 || key.notAfter > now - SKEW_SECONDS);
        if (!holds || !isBy(signature, key.key)) {
            return new Look.Bad(holds ? "the signature is another" : "the key is not valid now");
        }
        long hash = hash(site.bot.agent(), authority, signature.nonce());
        return nonce(site, hash, signature, now);
    }

    private static long until(RequestSignature signature) {
        return Math.min(signature.expires(), signature.created() + LIFETIME_SECONDS_MAX);
    }

    private @Nullable String fault(RequestSignature signature) {
        long now = millis.getAsLong() / 1000;
        long created = signature.created();
        long expires = signature.expires();
        boolean bound = signature.covers("@authority") || signature.covers("@target-uri");
        if (!bound || !signature.covers("signature-agent")) {
            return "the host, or Signature-Agent, is not signed";
        }
        if (created < 0 || expires < created || expires - created > EXPIRES_SECONDS_MAX) {
            return "created and expires are missing, or too far apart";
        }
        if (created > now + SKEW_SECONDS || until(signature) <= now) {
            return "it is not valid at this time";
        }
        String nonce = signature.nonce();
        return nonce.isEmpty() || nonce.length() > NONCE_CHARS_MAX ? "it has no nonce" : null;
    }

    private static boolean isBy(RequestSignature signature, PublicKey key) {
        if (!signature.isEd25519()) {
            return false;
        }
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key);
            verifier.update(signature.base());
            return verifier.verify(signature.octets());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /// Nonces are known by their hashes, which do not have their lengths.
    private long hash(String agent, String authority, String nonce) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(secret);
            String all = agent + '\n' + authority.toLowerCase(Locale.ROOT) + '\n' + nonce;
            return ByteBuffer.wrap(digest.digest(all.getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Look nonce(Site site, long hash, RequestSignature signature, long now) {
        long until = until(signature);
        synchronized (this) {
            if (site.nonces.containsKey(hash)) {
                return USED;
            }
            if (site.nonces.size() >= noncesMax && site.sweptSecond < now) {
                site.sweptSecond = now;
                site.nonces.values().removeIf(expires -> expires <= now);
            }
            if (site.nonces.size() >= noncesMax) {
                return new Look.Full(site.bot);
            }
            Added added = group == null ? Added.NEW : group.add(hash, signature.created(), until);
            if (added == Added.NEW) {
                site.nonces.put(hash, until);
            }
            return switch (added) {
                case NEW -> new Look.Good(site.bot);
                case USED -> USED;
                case LATER -> new Look.Full(site.bot);
            };
        }
    }

    /// The key of a name; where it is not known, or old, the site is asked.
    private Known key(Site site, String thumbprint) {
        boolean starts = false;
        Known known;
        synchronized (this) {
            long now = nanos.getAsLong();
            Long fetched = site.fetchedNanos;
            boolean isOld = fetched == null || now - fetched > FRESH_NANOS;
            if (fetched != null && now - fetched > KEPT_NANOS) {
                site.keys = Map.of();
            }
            Valid key = site.keys.get(thumbprint);
            Long asked = site.askedNanos;
            boolean again = asked == null || now - asked > AGAIN_NANOS;
            if (!site.asks && again && (isOld || key == null)) {
                site.asks = true;
                site.askedNanos = now;
                starts = true;
            }
            known = new Known(key, site.asks && !site.hasAnswered);
        }
        if (starts) {
            Thread.ofVirtual().name("margay-bot-keys").start(() -> fetch(site));
        }
        return known;
    }

    private void fetch(Site site) {
        Map<String, Valid> found = null;
        try {
            found = valid(site.bot, directory.fetch(site.bot.directory()));
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "the keys of {0}: {1}", site.bot.agent(), e.toString());
        }
        synchronized (this) {
            site.asks = false;
            site.hasAnswered = true;
            if (found != null) {
                site.keys = found;
                site.fetchedNanos = nanos.getAsLong();
            }
        }
    }

    private static Map<String, Valid> valid(SignedBot bot, List<KeyDirectory.Key> keys) {
        Map<String, Valid> valid = new HashMap<>();
        for (KeyDirectory.Key one : keys) {
            PublicKey key = valid.size() < KEYS_MAX ? key(one.x()) : null;
            String thumbprint = key == null ? "" : thumbprint(one.x());
            boolean believed = bot.keys().isEmpty() || bot.keys().contains(thumbprint);
            if (key != null && believed) {
                valid.put(thumbprint, new Valid(key, one.notBefore(), one.notAfter()));
            }
        }
        return Map.copyOf(valid);
    }

    private static @Nullable PublicKey key(String x) {
        try {
            byte[] octets = Base64.getUrlDecoder().decode(x);
            byte[] encoded = new byte[PREFIX.length + octets.length];
            System.arraycopy(PREFIX, 0, encoded, 0, PREFIX.length);
            System.arraycopy(octets, 0, encoded, PREFIX.length, octets.length);
            return octets.length == 32
                    ? KeyFactory.getInstance("Ed25519")
                            .generatePublic(new X509EncodedKeySpec(encoded))
                    : null;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return null;
        }
    }

    /// The name of a key (RFC 7638, RFC 8037).
    static String thumbprint(String x) {
        try {
            byte[] json =
                    ("{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"" + x + "\"}")
                            .getBytes(StandardCharsets.US_ASCII);
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(json);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(sum);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
