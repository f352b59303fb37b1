<%@ page contentType="text/html; charset=UTF-8" session="false" %>
<%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
<t:page title="JSP">
<ul>
<li><a href="el.jsp?name=Margay">Expression language</a></li>
<li><a href="jstl.jsp">JSTL</a></li>
<li><a href="tag.jsp?times=3">A custom tag and an EL function</a></li>
<li><a href="include.jsp">Include, when translated and when run</a></li>
<li><a href="forward.jsp">Forward</a></li>
<li><a href="cats">A servlet that forwards to a page under WEB-INF</a></li>
<li><a href="visits.jsp">A session that counts visits</a></li>
<li><a href="fail.jsp?divisor=0">A page that fails</a>, and <a href="nowhere">one that is missing</a>:
error pages</li>
</ul>
<p>The frame of these pages is a tag file, <code>WEB-INF/tags/page.tag</code>.</p>
</t:page>
