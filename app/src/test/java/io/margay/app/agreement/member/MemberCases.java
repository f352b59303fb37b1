package io.margay.app.agreement.member;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/// Makes configurations by chance: the same seed makes the same one. Stateless.
final class MemberCases {
    private static final int PROBES = 10;
    private static final int MORE_PROBES = 4;

    /// So that what is drawn of transports changes nothing else of a seed.
    private static final long TRANSPORTS = 0xd1342543de82ef95L;

    private MemberCases() {}

    static MemberCase of(long seed) {
        RandomGenerator chance = new Random(seed * 0x9e3779b97f4a7c15L);
        Draft draft = new Draft(chance);
        draft.add("DocumentRoot \"@DIR@\"");
        draft.add("<Directory \"@DIR@\">\n  AllowOverride All\n</Directory>");
        draft.targets("/", "/a.txt", "/page.html", "/sub/", "/sub", "/none");
        RouteLines.add(draft);
        int count = 1 + draft.upTo(4);
        for (int i = 0; i < count; i++) {
            switch (chance.nextInt(10)) {
                case 0, 1 -> FieldLines.request(draft);
                case 2, 3 -> FieldLines.response(draft);
                case 4 -> FieldLines.variables(draft);
                case 5 -> RewriteLines.ofHost(draft);
                case 6 -> RewriteLines.ofFolder(draft);
                default -> HostLines.add(draft);
            }
        }
        List<MemberProbe> probes = new ArrayList<>();
        for (int i = 0; i < PROBES; i++) {
            probes.add(MemberProbes.of(draft));
        }
        boolean alone = draft.one(15);
        Draft more = new Draft(new Random(seed * TRANSPORTS));
        boolean tls = !alone && more.one(6);
        if (tls) {
            TransportLines.tls(more);
        }
        if (more.one(2)) {
            probes.addAll(TransportLines.add(more, MORE_PROBES));
        }
        List<String> lines = new ArrayList<>(draft.lines());
        lines.addAll(more.lines());
        return new MemberCase(seed, alone, tls, lines, draft.files(), probes);
    }
}
