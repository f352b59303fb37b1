package io.margay.gateway.status;

import java.util.Map;

/// What the bits of jkstatus' parameter `opt` hide or forbid. mod_jk gives them their values.
enum JkOption {
    NO_MEMBERS(0x001),
    NO_MAPS(0x002),
    NO_LEGEND(0x004),
    NO_BALANCERS(0x008),
    NO_WORKERS(0x010),
    READ_ONLY(0x020),
    NO_BALANCER_CONFIG(0x040),
    NO_BALANCER_SUMMARY(0x080),
    NO_WORKER_CONFIG(0x100);

    final int bit;

    JkOption(int bit) {
        this.bit = bit;
    }

    /// The bits that a request asks for.
    static int bits(Map<String, String> parameters) {
        return Numbers.parse(parameters.getOrDefault("opt", "0"), 0);
    }

    boolean isIn(int bits) {
        return (bits & bit) != 0;
    }
}
