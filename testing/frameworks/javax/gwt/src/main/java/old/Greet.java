package old;

import com.google.gwt.user.client.rpc.RemoteService;

/// What the browser calls.
public interface Greet extends RemoteService {
    String greet(String name);
}
