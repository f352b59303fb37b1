<%@ page contentType="text/html; charset=UTF-8" %>
<%@ taglib prefix="s" uri="/struts-tags" %>
<p>Hello, <s:property value="name"/>!</p>
<s:iterator begin="1" end="times" status="each"><b><s:property value="#each.count"/></b></s:iterator>
<a href="<s:url action='index'/>">back</a>
