package old;

import com.google.gwt.user.server.rpc.RemoteServiceServlet;

/// Greets, and counts in the session.
public class GreetServlet extends RemoteServiceServlet implements Greet {
    @Override
    public String greet(String name) {
        Object before = getThreadLocalRequest().getSession().getAttribute("count");
        int count = before == null ? 1 : (Integer) before + 1;
        getThreadLocalRequest().getSession().setAttribute("count", count);
        return "hello " + name + ", time " + count;
    }
}
